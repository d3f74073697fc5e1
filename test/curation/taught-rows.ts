import { ExportRow } from "../../core/shard.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";
import { example, message, trajectory } from "./sample-rows.ts";

/** A row of an SFT set. */
export function taughtRow(name: string, index: number, parts: Partial<ExportRow> = {}): ExportRow {
  return ExportRow.parse({
    index,
    split: "train",
    example: example(name),
    databaseDigest: "digest",
    prompt: [message("user", `Prompt ${name}`)],
    trajectory: trajectory(name, 0, "SELECT 1"),
    level: 0,
    hardness: "easy",
    n: 4,
    c: 2,
    simulated: false,
    ...parts,
  });
}

/** A reply that runs a query. */
export function querying(sql: string): Message {
  const call = { id: "1", name: "exec_sql", argumentsRaw: "", arguments: { code: sql } };
  return { ...message("assistant", `run ${sql}`), toolCalls: [call] };
}

/** What came back. */
export function returned(text: string): Message {
  return { ...message("user", text), origin: "environment" };
}

/** A rollout whose first query fails and whose second one is right. */
export function repaired(name: string, index = 0): Trajectory {
  const messages = [
    querying("SELECT x"),
    returned("Outcome: error\nno such column: x"),
    querying("SELECT 1"),
    returned("Outcome: result\n1"),
    message("assistant", "SELECT 1"),
  ];
  return trajectory(name, index, "SELECT 1", { messages });
}
