import { z } from "zod";
import { KeptExample, SplitExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import { readJsonLines } from "../io/jsonl.ts";

/**
 * Gives kept examples the side that their databases have in a split that was made before: that of the set for
 * reinforcement learning, or, from the second round on, of the first round. Databases that it does not have go to
 * train, so that no database is on both sides in any set or round.
 */
export const alignSplitStage = defineStage({
  name: "align-split",
  version: 1,
  inputs: { kept: KeptExample, split: SplitExample },
  outputs: { examples: SplitExample },
  options: z.strictObject({}),
  runtime: z.strictObject({ splitFile: z.string().nullable().default(null) }),
  balances: [{ input: "kept", outputs: ["examples"] }],
  sources: (_options, { splitFile }) =>
    Promise.resolve(splitFile === null ? [] : [{ name: "first-split", path: splitFile }]),
  async *run({ inputs, runtime }) {
    const validation = new Set<string>();
    const rows = runtime.splitFile === null ? inputs.split() : rowsIn(runtime.splitFile);
    for await (const { databaseId, split } of rows) if (split === "validation") validation.add(databaseId);
    for await (const example of inputs.kept()) {
      const split = validation.has(example.databaseId) ? "validation" : "train";
      yield { port: "examples", row: { ...example, split } } as const;
    }
  },
});

async function* rowsIn(file: string): AsyncGenerator<SplitExample> {
  for await (const { value } of readJsonLines(file)) yield SplitExample.parse(value);
}
