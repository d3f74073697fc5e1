import { z } from "zod";
import { Correction } from "../../core/correction.ts";
import { GradusError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/key.ts";
import { problemsOf } from "../../datasets/question-rows.ts";
import type { PlacedCorrection } from "../../datasets/read-corrections.ts";
import { kindOf, writeWhole } from "../../io/files.ts";
import { readJsonLines } from "../../io/jsonl.ts";

/**
 * What a person decided of a finding, or of a question without one (`check` is `null`), and the corrections that
 * follow from it. A later decision of the same finding takes the place of the earlier one.
 */
export const Decision = z.strictObject({
  dataset: z.string().min(1),
  split: z.string().min(1),
  sourceId: z.string().min(1),
  exampleId: z.string(),
  check: z.string().min(1).nullable(),
  decision: z.enum(["accepted", "edited", "rejected"]),
  kind: z.string().min(1),
  reason: z.string(),
  author: z.string().min(1),
  /** ISO 8601, UTC. */
  time: z.string(),
  corrections: z.array(Correction),
});
export type Decision = z.infer<typeof Decision>;

/** What a decision is of: two with the same key are of the same finding. */
export function decisionKey({
  dataset,
  split,
  sourceId,
  check,
}: Pick<Decision, "dataset" | "split" | "sourceId" | "check">): string {
  return JSON.stringify([dataset, split, sourceId, check]);
}

/** The decisions with `decision` in the place of an earlier one of the same finding, else last. */
export function withDecision(decisions: readonly Decision[], decision: Decision): Decision[] {
  const key = decisionKey(decision);
  const place = decisions.findIndex((one) => decisionKey(one) === key);
  return place < 0 ? [...decisions, decision] : decisions.toSpliced(place, 1, decision);
}

/** The corrections of the decisions, in their order, each with the line that it has in the overlay. */
export function overlayOf(decisions: readonly Decision[], file: string): PlacedCorrection[] {
  return decisions
    .flatMap(({ corrections }) => corrections)
    .map((correction, index) => ({ correction, file, line: index + 1 }));
}

/** Reads a file of decisions; none where there is no file. @throws DECISION_MALFORMED with the line. */
export async function readDecisions(file: string): Promise<Decision[]> {
  if ((await kindOf(file)) !== "file") return [];
  const decisions: Decision[] = [];
  for await (const { value, line } of readJsonLines(file)) {
    const parsed = Decision.safeParse(value);
    if (!parsed.success) {
      throw new GradusError(
        "DECISION_MALFORMED",
        `cannot use line ${line} of ${file} as a decision: ${problemsOf(parsed.error)}`,
        { site: { file, line }, hint: "gradus audit accept, edit, reject and import write this file" },
      );
    }
    decisions.push(parsed.data);
  }
  return decisions;
}

/** Writes rows as JSON Lines, whole or not at all. */
export async function writeRows(file: string, rows: readonly unknown[]): Promise<void> {
  await writeWhole(file, rows.map((row) => `${canonicalJson(row)}\n`).join(""));
}
