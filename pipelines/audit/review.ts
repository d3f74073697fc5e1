import path from "node:path";
import { canonicalJson } from "../../core/key.ts";
import { type PlacedCorrection, readCorrections } from "../../datasets/read-corrections.ts";
import { kindOf } from "../../io/files.ts";
import type { Correction } from "../../core/correction.ts";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import type { DatasetLoader, DatasetSource } from "../../core/loader.ts";
import { correctedExamples } from "../../datasets/corrected-examples.ts";
import { type Decision, decisionKey, overlayOf, readDecisions, withDecision, writeRows } from "./decision.ts";
import { names } from "./finding-file.ts";

/** Where a review keeps what was decided. */
export interface ReviewFiles {
  readonly decisions: string;
  /** The overlay of corrections, made anew from the decisions whenever they change. */
  readonly corrections: string;
}

/** A change that a person wants: `after` is the new text; `null` takes the gold `before` away, or the evidence. */
export interface WantedChange {
  readonly field: Correction["field"];
  /** A gold that is one more instead of another. */
  readonly isAdded?: boolean;
  /** The gold that is meant; the first one when left out. */
  readonly before?: string;
  readonly after: string | null;
}

/** Why, by whom and when. */
export type DecisionNote = Pick<Decision, "kind" | "reason" | "author" | "time">;

/** The questions of a dataset under review, and what was decided of them so far. */
export class Review {
  readonly #files: ReviewFiles;
  readonly #examples: readonly Example[];
  #decisions: readonly Decision[];

  private constructor(files: ReviewFiles, examples: readonly Example[], decisions: readonly Decision[]) {
    this.#files = files;
    this.#examples = examples;
    this.#decisions = decisions;
  }

  static async open(loader: DatasetLoader, source: DatasetSource, files: ReviewFiles): Promise<Review> {
    const examples: Example[] = [];
    for await (const row of loader.load(source)) if (row.kind === "example") examples.push(row.example);
    return new Review(files, examples, await readDecisions(files.decisions));
  }

  get examples(): readonly Example[] {
    return this.#examples;
  }

  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /** The question that a person names. @throws EXAMPLE_UNKNOWN, EXAMPLE_AMBIGUOUS. */
  example(target: string): Example {
    const found = this.#examples.filter(({ id, sourceId }) => names(target, id, sourceId));
    const [example, ...others] = found;
    if (example === undefined) {
      throw new GradusError("EXAMPLE_UNKNOWN", `the split has no question "${target}"`, {
        hint: "give the dataset's own name of the question (question_id, the place from 0, dialogue:turn) or an example id",
      });
    }
    if (others.length === 0) return example;
    throw new GradusError("EXAMPLE_AMBIGUOUS", `"${target}" names ${found.length} questions, expected one`, {
      hint: `give the id of one of them: ${found.map(({ id }) => id).join(", ")}`,
    });
  }

  /** The question as all decisions but the one of `key` leave it. */
  async current(example: Example, key: string): Promise<Example> {
    const others = this.#decisions.filter((one) => decisionKey(one) !== key);
    for await (const corrected of correctedExamples(each([example]), overlayOf(others, "corrections"))) {
      return corrected.example;
    }
    return example;
  }

  /**
   * Adds decisions, each in the place of an earlier one of the same finding, and writes them with the corrections that
   * follow from all. Nothing is written where one does not fit.
   * @throws what refuses a correction; CORRECTIONS_FOREIGN where the overlay holds what no decision says.
   */
  async decide(decisions: readonly Decision[]): Promise<void> {
    const { decisions: decisionFile, corrections: correctionFile } = this.#files;
    await this.#refuseForeign();
    const all = decisions.reduce<readonly Decision[]>(withDecision, this.#decisions);
    const overlay = await this.check(all);
    this.#decisions = all;
    await writeRows(decisionFile, all);
    await writeRows(
      correctionFile,
      overlay.map(({ correction }) => correction),
    );
  }

  /** The overlay of some decisions, all that are there when left out. @throws what refuses a correction. */
  async check(decisions: readonly Decision[] = this.#decisions): Promise<PlacedCorrection[]> {
    const overlay = overlayOf(decisions, path.basename(this.#files.corrections));
    for await (const { applied } of correctedExamples(each(this.#examples), overlay, false)) void applied;
    return overlay;
  }

  /** The overlay is made anew, so that it must hold nothing but what the decisions say. */
  async #refuseForeign(): Promise<void> {
    const file = this.#files.corrections;
    if ((await kindOf(file)) !== "file") return;
    const known = new Set(overlayOf(this.#decisions, "").map(({ correction }) => canonicalJson(correction)));
    const foreign = (await readCorrections([file], [file])).find(
      ({ correction }) => !known.has(canonicalJson(correction)),
    );
    if (foreign === undefined) return;
    throw new GradusError(
      "CORRECTIONS_FOREIGN",
      `${file} holds a correction in line ${foreign.line} that no decision in ${this.#files.decisions} says, and would lose it`,
      {
        site: { file, line: foreign.line },
        hint: "give another file with --corrections; a config takes several",
      },
    );
  }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/**
 * The corrections that a person's changes mean, from the question as it is now.
 * @throws CORRECTION_EMPTY for a change that changes nothing.
 */
export function correctionsFor(
  now: Example,
  changes: readonly WantedChange[],
  note: DecisionNote,
): Correction[] {
  const { dataset, sourceId } = now;
  return changes.map(({ field, isAdded = false, before: meant, after }) => {
    const present = field === "gold" ? (meant ?? now.gold[0] ?? null) : now[field];
    const before = isAdded ? null : present;
    if (before === after) {
      throw new GradusError("CORRECTION_EMPTY", `the ${field} of question ${sourceId} is that already`, {
        hint: "give another text, or reject the finding",
      });
    }
    return { dataset: dataset.name, split: dataset.split, sourceId, field, before, after, ...note };
  });
}
