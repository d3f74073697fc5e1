import path from "node:path";
import { Correction } from "../../core/correction.ts";
import { GradusError } from "../../core/errors.ts";
import { correctedGold, correctedText, refuse } from "../../datasets/correction-rules.ts";
import { type PlacedCorrection, readCorrections } from "../../datasets/read-corrections.ts";
import { kindOf } from "../../io/files.ts";
import { readJsonLines } from "../../io/jsonl.ts";
import type { Release } from "./read-release.ts";
import type { ReleaseRow } from "./release-fields.ts";

/** Whether a file is an overlay of corrections: its first line is one. */
export async function isOverlay(file: string): Promise<boolean> {
  if (!/\.jsonl$/i.test(file) || (await kindOf(file)) !== "file") return false;
  for await (const { value } of readJsonLines(file)) return Correction.safeParse(value).success;
  return false;
}

/**
 * A release as an overlay leaves it.
 * @throws CORRECTION_MALFORMED, CORRECTION_STALE, CORRECTION_CONFLICT, CORRECTION_EXAMPLE_UNKNOWN, OVERLAY_MIXED for
 * corrections of several datasets or splits.
 */
export async function correctedRelease(release: Release, file: string): Promise<Release> {
  const name = path.basename(file);
  const placed = await readCorrections([name], [file]);
  refuseMixed(placed);
  const bySource = new Map<string, PlacedCorrection[]>();
  for (const one of placed) {
    const { sourceId } = one.correction;
    bySource.set(sourceId, [...(bySource.get(sourceId) ?? []), one]);
  }
  const met = new Set<string>();
  const rows = release.rows.map((row) => {
    const id = row.id ?? String(row.position);
    met.add(id);
    return correctedRow(row, bySource.get(id) ?? []);
  });
  for (const [sourceId, [first]] of bySource) {
    if (first === undefined || met.has(sourceId)) continue;
    throw refuse("CORRECTION_EXAMPLE_UNKNOWN", first, {
      problem: `${release.name} has no question "${sourceId}"`,
      hint: "sourceId is the dataset's own name of the question, or its place from 0",
    });
  }
  return { name, rows, databaseFolders: [] };
}

function correctedRow(row: ReleaseRow, placed: readonly PlacedCorrection[]): ReleaseRow {
  if (placed.length === 0) return row;
  const of = (field: string): PlacedCorrection[] =>
    placed.filter(({ correction }) => correction.field === field);
  const evidence = row.evidence === "" ? null : row.evidence;
  return {
    ...row,
    question: correctedText(row.question, of("question")) ?? row.question,
    evidence: of("evidence").length === 0 ? row.evidence : (correctedText(evidence, of("evidence")) ?? ""),
    gold: of("gold").length === 0 ? row.gold : correctedGold(row.gold ?? [], of("gold")),
  };
}

function refuseMixed(placed: readonly PlacedCorrection[]): void {
  const places = new Set(placed.map(({ correction }) => `${correction.dataset} ${correction.split}`));
  if (places.size <= 1) return;
  throw new GradusError(
    "OVERLAY_MIXED",
    `the overlay corrects ${[...places].sort().join(" and ")}, expected one split of one dataset`,
    { hint: "compare with a file that holds the corrections of one split" },
  );
}
