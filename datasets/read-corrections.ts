import type { z } from "zod";
import { Correction } from "../core/correction.ts";
import { GradusError } from "../core/errors.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { problemsOf } from "./question-rows.ts";

/** A correction and where it stands. */
export interface PlacedCorrection {
  readonly correction: Correction;
  /** The file's name, for messages. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** A question always has words, and a correction says something. */
const Usable = Correction.refine(
  ({ field, before, after }) => field !== "question" || (before !== null && after !== null),
  {
    path: ["after"],
    error: "a question is text before and after",
  },
).refine(({ before, after }) => before !== after, {
  path: ["after"],
  error: "before and after are the same",
}) satisfies z.ZodType<Correction>;

/**
 * The corrections of some files of JSON Lines, in their order.
 * @throws CORRECTION_MALFORMED with file and line for one that does not fit; JSONL_MALFORMED; FILE_MISSING.
 */
export async function readCorrections(
  names: readonly string[],
  paths: readonly string[],
): Promise<PlacedCorrection[]> {
  const placed: PlacedCorrection[] = [];
  for (const [index, path] of paths.entries()) {
    const file = names[index] ?? path;
    for await (const { value, line } of readJsonLines(path)) {
      const parsed = Usable.safeParse(value);
      if (!parsed.success) {
        throw new GradusError(
          "CORRECTION_MALFORMED",
          `cannot use line ${line} of ${file} as a correction: ${problemsOf(parsed.error)}`,
          {
            site: { file, line },
            hint: "a correction has dataset, split, sourceId, field, before, after, kind, reason, author and time",
          },
        );
      }
      placed.push({ correction: parsed.data, file, line });
    }
  }
  return placed;
}
