import { expect, it } from "vitest";
import { GROUP_UNITS, limitsAt, rewrittenPlace } from "../../pipelines/sql-protocol.ts";

const GOLD = { cpuMs: 2000, maxRows: 10, maxBytes: 1000 };
const PREDICTION = { ...GOLD, cpuMs: 1000 };
const group = { gold: ["SELECT 1"], goldLimits: GOLD, predictionLimits: PREDICTION };

it("gives every statement the limits of its role", () => {
  const places = [0, 1, rewrittenPlace(0, "gold"), rewrittenPlace(5, "prediction")];
  expect(places.map((place) => limitsAt(group, place))).toEqual([GOLD, PREDICTION, GOLD, PREDICTION]);
  expect(rewrittenPlace(2 ** 40, "prediction")).toBeLessThan(GROUP_UNITS);
});
