import { z } from "zod";
import { PassedOverTrajectory } from "../core/rows.ts";
import { ExportRow } from "../core/shard.ts";
import { defineStage } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { RowIndex } from "../io/row-index.ts";

/** Wrong trajectories of a question that are looked at for one behind the same prompt. */
const MOST_TRIED = 8;

/**
 * Puts beside each right trajectory a wrong one of its question: the first by the same scaffold behind the same given
 * messages. A right one without such a wrong one is `unpaired`.
 */
export const assemblePairsStage = defineStage({
  name: "assemble-pairs",
  version: 1,
  inputs: { rows: ExportRow, passedOver: PassedOverTrajectory, trajectories: Trajectory },
  outputs: { rows: ExportRow, unpaired: PassedOverTrajectory },
  options: z.strictObject({}),
  balances: [{ input: "rows", outputs: ["rows", "unpaired"] }],
  async *run({ inputs, context }) {
    const wrong = new Map<string, string[]>();
    for await (const { exampleId, trajectoryId, reason } of inputs.passedOver()) {
      if (reason !== "wrong" && reason !== "no_answer") continue;
      const ids = wrong.get(exampleId) ?? [];
      if (ids.length < MOST_TRIED) wrong.set(exampleId, [...ids, trajectoryId]);
    }
    const wanted = new Set([...wrong.values()].flat());
    const index = await RowIndex.build(inputs.trajectories(), {
      keyOf: (trajectory) => trajectory.id,
      keep: (trajectory) => wanted.has(trajectory.id),
    });
    let done = 0;
    try {
      for await (const row of inputs.rows()) {
        let rejected: Trajectory | null = null;
        for (const id of wrong.get(row.example.id) ?? []) {
          const candidate = await index.get(id);
          if (candidate === undefined || !isComparable(row, candidate)) continue;
          rejected = candidate;
          break;
        }
        const exampleId = row.example.id;
        if (rejected === null) {
          const trajectoryId = row.trajectory?.id ?? "";
          yield { port: "unpaired", row: { trajectoryId, exampleId, reason: "no_wrong_sample" } } as const;
        } else yield { port: "rows", row: { ...row, rejected } } as const;
        done += 1;
        context.progress(done);
      }
    } finally {
      await index.close();
    }
  },
});

function isComparable({ trajectory }: ExportRow, candidate: Trajectory): boolean {
  if (trajectory === null || candidate.scaffold.id !== trajectory.scaffold.id) return false;
  return given(trajectory) === given(candidate);
}

/** What stands before the first reply. */
function given({ messages }: Trajectory): string {
  const end = messages.findIndex(({ origin }) => origin !== "given");
  return JSON.stringify(messages.slice(0, Math.max(0, end)).map(({ role, rawText }) => [role, rawText]));
}
