import { defineExporter } from "../../core/shard.ts";
import { goldsOf, groupId, textPrompt } from "../exported-messages.ts";

/** Prompts to practise on for TRL's `GRPOTrainer`: flat columns, each of which reaches reward functions as a list. */
export default defineExporter({
  id: "trl-grpo",
  version: 1,
  format: "parquet",
  set: "rl",
  columns: [
    { name: "prompt", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "example_id", type: "string" },
    { name: "db_id", type: "string" },
    { name: "database_sha256", type: "string" },
    { name: "question_text", type: "string" },
    { name: "evidence", type: "string" },
    { name: "gold_sql", type: { list: "string" } },
    { name: "scaffold", type: "string" },
    { name: "scaffold_options", type: "string" },
    { name: "tool_schemas", type: "string" },
    { name: "task", type: "string" },
    { name: "group_id", type: "string" },
    { name: "level", type: "int64" },
    { name: "simulated", type: "bool" },
  ],
  lossy: [
    "Tools of native calls are in `tool_schemas` as JSON: TRL shows those of its `tools` or `environment_factory`.",
    'What is absent reads as "" or -1 (level).',
  ],
  usage: [
    "`load_dataset(folder)` gives what `GRPOTrainer` takes. A reward function gets each column as a list; an",
    "environment's `reset` gets the columns of a row by name. Raise `max_prompt_length` above the longest prompt.",
  ].join("\n"),
  row: (row) => ({
    prompt: textPrompt(row, "trl-grpo"),
    example_id: row.example.id,
    db_id: row.example.databaseId,
    database_sha256: row.databaseDigest,
    question_text: row.example.question,
    evidence: row.example.evidence ?? "",
    gold_sql: [...goldsOf(row, "trl-grpo")],
    scaffold: row.scaffold?.id ?? "",
    scaffold_options: row.scaffold === null ? "{}" : JSON.stringify(row.scaffold.options),
    tool_schemas: row.tools.length === 0 ? "" : JSON.stringify(row.tools),
    task: row.task,
    group_id: groupId(row),
    level: row.level ?? -1,
    simulated: row.simulated,
  }),
});
