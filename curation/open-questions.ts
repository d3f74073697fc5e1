import { z } from "zod";
import { Example } from "../core/example.ts";
import { defineStage } from "../core/stage.ts";
import { readJsonLines } from "../io/jsonl.ts";

const CoveredRow = z.object({ example: z.object({ id: z.string() }) });

/**
 * Parts the questions into those that an earlier round kept a trajectory of, which leave, and those that are still
 * open. @paper MTSQL-R1, section 3.2.2, S4
 */
export const openQuestionsStage = defineStage({
  name: "open-questions",
  version: 1,
  inputs: { examples: Example },
  outputs: { open: Example, covered: z.strictObject({ exampleId: z.string() }) },
  options: z.strictObject({}),
  runtime: z.strictObject({ rowsFile: z.string() }),
  balances: [{ input: "examples", outputs: ["open", "covered"] }],
  sources: (_options, { rowsFile }) => Promise.resolve([{ name: "rows-so-far", path: rowsFile }]),
  async *run({ inputs, runtime }) {
    const covered = new Set<string>();
    for await (const { value } of readJsonLines(runtime.rowsFile)) {
      covered.add(CoveredRow.parse(value).example.id);
    }
    for await (const example of inputs.examples()) {
      if (covered.has(example.id)) yield { port: "covered", row: { exampleId: example.id } } as const;
      else yield { port: "open", row: example } as const;
    }
  },
});
