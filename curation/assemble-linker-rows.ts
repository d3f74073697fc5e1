import { z } from "zod";
import { ExportRow } from "../core/shard.ts";
import { defineStage } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { RowIndex } from "../io/row-index.ts";
import { scaffoldFacts } from "./scaffold-facts.ts";

/**
 * Rows of the schema linkers whose episodes came before those of `rows`, in their order: task `linker`, the prompt that
 * the linker saw, and its tools. `sft`: the linker's trajectory behind each chosen answer, which its schema was enough
 * for. `rl`: one prompt for each question that a linker saw. Where no linker came first there is no row.
 * @paper DualSQL, rollouts of both agents grouped by task; which of the linker's rollouts are imitated is not in it
 */
export const assembleLinkerRowsStage = defineStage({
  name: "assemble-linker-rows",
  version: 1,
  inputs: { rows: ExportRow, linkings: Trajectory },
  outputs: { rows: ExportRow },
  options: z.strictObject({ set: z.enum(["rl", "sft"]) }),
  async *run({ inputs, options, context }) {
    const keyOf = options.set === "rl" ? (row: Trajectory) => row.exampleId : sampleKey;
    const seen = new Set<string>();
    const index = await RowIndex.build(inputs.linkings(), {
      keyOf,
      keep: (row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)).has(keyOf(row)),
    });
    const factsOf = scaffoldFacts(context.plugs);
    const next = { train: 0, validation: 0 };
    try {
      for await (const row of inputs.rows()) {
        const key = row.trajectory === null ? row.example.id : sampleKey(row.trajectory);
        const linking = await index.get(key);
        if (linking === undefined) continue;
        const facts = { ...(await factsOf(linking.scaffold)), task: "linker" as const };
        const prompt = linking.messages.filter(({ origin }) => origin === "given");
        const trajectory = options.set === "rl" ? null : linking;
        const simulated = row.simulated || linking.source === "simulated";
        const given = {
          prompt,
          trajectory,
          promptFrom: "rollouts" as const,
          simulated,
          index: next[row.split],
        };
        next[row.split] += 1;
        yield { port: "rows", row: { ...row, ...facts, ...given } } as const;
        context.progress(next.train + next.validation);
      }
    } finally {
      await index.close();
    }
  },
});

/** One sample of one model: an answer and the linking before it share it. */
function sampleKey({ exampleId, sampleIndex, round, model }: Trajectory): string {
  return JSON.stringify([exampleId, model.name, model.revision, round, sampleIndex]);
}
