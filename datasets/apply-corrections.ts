import { z } from "zod";
import { Example } from "../core/example.ts";
import { defineStage } from "../core/stage.ts";
import { Correction } from "../core/correction.ts";
import { GradusError } from "../core/errors.ts";
import { correctedExamples } from "./corrected-examples.ts";
import { readCorrections } from "./read-corrections.ts";

/** A correction that took effect. */
export const AppliedCorrection = z.strictObject({
  /** The example's identity with its corrections, and without. */
  exampleId: z.string(),
  uncorrectedId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  field: Correction.shape.field,
  kind: z.string(),
  file: z.string(),
  line: z.int().positive(),
});
export type AppliedCorrection = z.infer<typeof AppliedCorrection>;

const Options = z.strictObject({
  /** Names of the files, for messages. */
  files: z.array(z.string().min(1)).min(1),
  /** Whether all questions of the split are loaded, so that a correction must find its own. */
  isWhole: z.boolean(),
});

/**
 * Applies the corrections of some files to the examples of a dataset; the digests of the files enter the key.
 * @throws CORRECTIONS_FILES_MISMATCH, CORRECTION_MALFORMED, CORRECTION_STALE, CORRECTION_CONFLICT, CORRECTION_EXAMPLE_UNKNOWN.
 */
export const applyCorrectionsStage = defineStage({
  name: "apply-corrections",
  version: 1,
  inputs: { examples: Example },
  outputs: { examples: Example, applied: AppliedCorrection },
  options: Options,
  /** `files`: their absolute paths. */
  runtime: z.strictObject({ files: z.array(z.string()) }),
  balances: [{ input: "examples", outputs: ["examples"] }],
  sources: (options, runtime) => Promise.resolve(filesOf(options.files, runtime.files)),
  async *run({ inputs, options, runtime, context }) {
    const paths = filesOf(options.files, runtime.files).map(({ path }) => path);
    const corrections = await readCorrections(options.files, paths);
    let done = 0;
    for await (const corrected of correctedExamples(inputs.examples(), corrections, !options.isWhole)) {
      context.signal.throwIfAborted();
      const { example, before, applied } = corrected;
      yield { port: "examples", row: example } as const;
      for (const { correction, file, line } of applied) {
        const { field, kind } = correction;
        const { sourceId, databaseId } = example;
        const identity = { exampleId: example.id, uncorrectedId: before.id, sourceId, databaseId };
        yield { port: "applied", row: { ...identity, field, kind, file, line } } as const;
      }
      done += 1;
    }
    context.progress(done, done);
  },
});

/** Each file with its name. @throws CORRECTIONS_FILES_MISMATCH, so that no file is left out unseen. */
function filesOf(names: readonly string[], paths: readonly string[]): { name: string; path: string }[] {
  if (names.length !== paths.length) {
    throw new GradusError(
      "CORRECTIONS_FILES_MISMATCH",
      `cannot apply corrections: got ${paths.length} files for ${names.length} names, expected one each`,
      { site: { stage: "apply-corrections" } },
    );
  }
  return names.map((name, index) => ({ name, path: paths[index] ?? "" }));
}
