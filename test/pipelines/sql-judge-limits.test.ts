import { expect, it } from "vitest";
import { limitAt, placeOf, SCAN_LIMIT_MS, scanLimitMs } from "../../pipelines/sql-judge-limits.ts";
import { GROUP_UNITS, rewrittenPlace } from "../../pipelines/sql-protocol.ts";
import type { JudgeGroup } from "../../pipelines/sql-protocol.ts";

const GOLD = { cpuMs: 2000, maxRows: 10, maxBytes: 1000 };
const PREDICTION = { ...GOLD, cpuMs: 1000 };

function group(id: number, firstUnit: number): JudgeGroup {
  return {
    id,
    firstUnit,
    schemaKey: "x",
    gold: ["SELECT 1"],
    predictions: ["SELECT 2"],
    metrics: [],
    goldLimits: GOLD,
    predictionLimits: PREDICTION,
    known: [],
  };
}

const groups = [group(7, 0), group(8, GROUP_UNITS)];

it("finds the request and the statement of a unit", () => {
  expect(placeOf(groups, 1)).toEqual({ id: 7, statement: 1, limits: PREDICTION });
  const place = rewrittenPlace(3, "gold");
  expect(placeOf(groups, GROUP_UNITS + place)).toEqual({ id: 8, statement: place, limits: GOLD });
  expect(placeOf([], 0)).toBeNull();
});

it("limits statements, scans and verdicts by what they are", () => {
  const mark = { sequence: 1, task: 1, unit: 1 };
  expect(limitAt(groups, { ...mark, phase: "statement" }, 5)).toBe(1000);
  expect(limitAt(groups, { ...mark, phase: "scan" }, 5)).toBe(5);
  expect(limitAt(groups, { ...mark, phase: "judging" }, 5)).toBe(60_000);
  expect(scanLimitMs(0)).toBe(20_000);
  expect(scanLimitMs(10_000_000)).toBe(30_000);
  expect(scanLimitMs(1e12)).toBe(SCAN_LIMIT_MS);
});
