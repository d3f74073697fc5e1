import type { ProgressMark } from "../io/worker-progress.ts";
import { limitsAt } from "./sql-protocol.ts";
import type { JudgeGroup } from "./sql-protocol.ts";

/** CPU time for one verdict, milliseconds. */
const JUDGING_LIMIT_MS = 60_000;

/** The most CPU time for scanning columns, and for inspecting or settling a file; milliseconds. */
export const SCAN_LIMIT_MS = 600_000;

/** What it depends on, as a crafted small file can hold any number of rows; milliseconds. */
const SCAN_BASE_MS = 20_000;
const SCAN_MS_PER_MEGABYTE = 1000;
const MEGABYTE = 1_000_000;

/** CPU time allowed for what a worker is at. */
export function limitAt(groups: readonly JudgeGroup[], mark: ProgressMark, scanMs: number): number {
  if (mark.phase === "judging") return JUDGING_LIMIT_MS;
  if (mark.phase === "scan") return scanMs;
  const place = placeOf(groups, mark.unit);
  return place?.limits.cpuMs ?? SCAN_LIMIT_MS;
}

/** CPU time for scanning columns of a file of a size, or for inspecting or settling it. */
export function scanLimitMs(bytes: number): number {
  return Math.min(SCAN_LIMIT_MS, SCAN_BASE_MS + (bytes / MEGABYTE) * SCAN_MS_PER_MEGABYTE);
}

/** The request and its statement that a unit belongs to; `null` for a unit of none. */
export function placeOf(
  groups: readonly JudgeGroup[],
  unit: number,
): { id: number; statement: number; limits: JudgeGroup["goldLimits"] } | null {
  const group = groups.findLast(({ firstUnit }) => firstUnit <= unit);
  if (group === undefined) return null;
  const statement = unit - group.firstUnit;
  return { id: group.id, statement, limits: limitsAt(group, statement) };
}
