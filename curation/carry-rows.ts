import { z } from "zod";
import { ExportRow } from "../core/shard.ts";
import { defineStage, type Rows } from "../core/stage.ts";
import { readJsonLines } from "../io/jsonl.ts";

/**
 * Puts the rows of earlier rounds before those of this one: train, then validation, dense from 0 in each. Their
 * trajectories still say which round and which model made them.
 */
export const carryRowsStage = defineStage({
  name: "carry-rows",
  version: 1,
  inputs: { rows: ExportRow },
  outputs: { rows: ExportRow },
  options: z.strictObject({}),
  runtime: z.strictObject({ rowsFile: z.string() }),
  sources: (_options, { rowsFile }) => Promise.resolve([{ name: "rows-so-far", path: rowsFile }]),
  async *run({ inputs, runtime }) {
    const earlier: Rows<ExportRow> = () => rowsIn(runtime.rowsFile);
    for (const split of ["train", "validation"] as const) {
      let index = 0;
      for (const rows of [earlier, inputs.rows]) {
        for await (const row of rows()) {
          if (row.split !== split) continue;
          yield { port: "rows", row: { ...row, index } } as const;
          index += 1;
        }
      }
    }
  },
});

async function* rowsIn(file: string): AsyncGenerator<ExportRow> {
  for await (const { value } of readJsonLines(file)) yield ExportRow.parse(value);
}
