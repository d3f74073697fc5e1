import { z } from "zod";
import { ExportRow } from "../core/shard.ts";
import { defineStage } from "../core/stage.ts";
import { queriesOf } from "../core/trajectory-actions.ts";
import type { Message, Trajectory } from "../core/trajectory.ts";

/** How results say that a query failed, whichever tool gave them. */
const FAILED =
  /\bno such (?:table|column|function)\b|\bsyntax error\b|"error"\s*:|^\s*Error\b|Outcome: (?:error|empty|no rows)|\[fault|\(no rows\)|\b0 rows\b|^\s*\[\]/im;

/**
 * Says of each sampled reply whether it is learned, and why. With `mask`, a reply whose query failed (an error, no
 * rows, a fault that the tool names) and that a later query repaired is context only: its weight is 0 and its reason
 * `repaired_later`. The reply that repairs it stays.
 */
export const lossControlStage = defineStage({
  name: "loss-control",
  version: 1,
  inputs: { rows: ExportRow },
  outputs: { rows: ExportRow },
  options: z.strictObject({ repaired: z.enum(["keep", "mask"]).default("keep") }),
  balances: [{ input: "rows", outputs: ["rows"] }],
  async *run({ inputs, options }) {
    for await (const row of inputs.rows()) {
      const trajectory =
        row.trajectory === null || options.repaired === "keep"
          ? row.trajectory
          : maskRepaired(row.trajectory);
      yield { port: "rows", row: { ...row, trajectory } } as const;
    }
  },
});

/** A trajectory whose failed and repaired queries are not learned. */
export function maskRepaired(trajectory: Trajectory): Trajectory {
  const failed = failedReplies(trajectory.messages);
  if (failed.size === 0) return trajectory;
  const messages = trajectory.messages.map((message, place) =>
    failed.has(place) ? { ...message, train: false, weight: 0, trainReason: "repaired_later" } : message,
  );
  return { ...trajectory, messages };
}

/** The places of sampled replies whose query failed, and that another query follows. */
export function failedReplies(messages: readonly Message[]): ReadonlySet<number> {
  const failed = new Set<number>();
  const lastQuery = messages.findLastIndex(
    (message) => message.origin === "sampled" && queriesOf(message).length > 0,
  );
  for (const [place, message] of messages.entries()) {
    if (message.origin !== "sampled" || queriesOf(message).length === 0 || place >= lastQuery) continue;
    const next = messages.findIndex(({ origin }, index) => index > place && origin === "sampled");
    const results = messages.slice(place + 1, next < 0 ? undefined : next);
    if (results.some(({ origin, rawText }) => origin === "environment" && FAILED.test(rawText)))
      failed.add(place);
  }
  return failed;
}
