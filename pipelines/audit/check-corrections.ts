import path from "node:path";
import type { Example } from "../../core/example.ts";
import type { DatasetLoader, DatasetSource } from "../../core/loader.ts";
import { correctedExamples } from "../../datasets/corrected-examples.ts";
import { readCorrections } from "../../datasets/read-corrections.ts";

/** How the corrections of some files fit a dataset. */
export interface CorrectionCheck {
  readonly applied: number;
  readonly questions: number;
  readonly byField: Readonly<Record<"gold" | "question" | "evidence", number>>;
  /** Corrections of other datasets or splits. */
  readonly passedOver: number;
}

/**
 * Applies corrections to some splits of a dataset and counts them.
 * @throws CORRECTION_MALFORMED, CORRECTION_STALE, CORRECTION_CONFLICT, CORRECTION_EXAMPLE_UNKNOWN.
 */
export async function checkCorrections(
  loader: DatasetLoader,
  sources: readonly DatasetSource[],
  files: readonly string[],
): Promise<CorrectionCheck> {
  const names = files.map((file) => path.basename(file));
  const corrections = await readCorrections(names, files);
  const byField = { gold: 0, question: 0, evidence: 0 };
  let applied = 0;
  let questions = 0;
  for (const source of sources) {
    for await (const corrected of correctedExamples(loaded(loader, source), corrections, false)) {
      if (corrected.applied.length > 0) questions += 1;
      for (const { correction } of corrected.applied) {
        applied += 1;
        byField[correction.field] += 1;
      }
    }
  }
  return { applied, questions, byField, passedOver: corrections.length - applied };
}

async function* loaded(loader: DatasetLoader, source: DatasetSource): AsyncGenerator<Example> {
  for await (const row of loader.load(source)) if (row.kind === "example") yield row.example;
}

/** One line for a person. */
export function renderCorrectionCheck({ applied, questions, byField, passedOver }: CorrectionCheck): string {
  const fields = Object.entries(byField).filter(([, count]) => count > 0);
  const parts = fields.map(([field, count]) => `${count} ${field}`).join(", ");
  const others = passedOver > 0 ? `; ${passedOver} are of other datasets or splits` : "";
  return `corrections: ${applied} apply to ${questions} questions${parts === "" ? "" : ` (${parts})`}${others}`;
}
