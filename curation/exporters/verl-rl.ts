import { GradusError } from "../../core/errors.ts";
import { defineExporter, type ExportRow } from "../../core/shard.ts";

const CREATE_KWARGS = { db_id: "string", database_sha256: "string", example_id: "string" } as const;

/**
 * Prompts with their golds in the columns that verl's `RLHFDataset` reads. `reward_model.ground_truth` is a
 * JSON string, `{"db_id", "gold": […]}`, as a reward function gets it. Every row has every tool's key.
 */
export default defineExporter({
  id: "verl-rl",
  version: 1,
  format: "parquet",
  set: "rl",
  columns: [
    { name: "data_source", type: "string" },
    { name: "prompt", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "ability", type: "string" },
    { name: "reward_model", type: { struct: { style: "string", ground_truth: "string" } } },
    {
      name: "extra_info",
      type: {
        struct: {
          index: "int64",
          split: "string",
          example_id: "string",
          dataset: "string",
          release: "string",
          source_id: "string",
          db_id: "string",
          database_sha256: "string",
          question: "string",
          evidence: "string",
          hardness: "string",
          difficulty: "string",
          level: "int64",
          pass_n: "int64",
          pass_c: "int64",
          simulated: "bool",
          dialogue_id: "string",
          turn: "int64",
          need_tools_kwargs: "bool",
          tools_kwargs: { struct: { execute_sql: { struct: { create_kwargs: { struct: CREATE_KWARGS } } } } },
        },
      },
    },
  ],
  lossy: [
    "No sampled trajectory is written: a row is a prompt with its golds.",
    "Earlier turns of a dialogue are in the prompt alone, without their golds.",
    'What is absent reads as "" (text) or -1 (level, turn): Parquet fields are never null here.',
  ],
  usage: [
    "List the files in `data.train_files` and `data.val_files`: verl takes neither folders nor patterns.",
    "Rows are in curriculum order; `data.shuffle=False` keeps it. Set `data.max_prompt_length` above the",
    "longest prompt: verl cuts longer ones at their start.",
    "",
    "A reward function (`reward.custom_reward_function.path`) gets `ground_truth` as a JSON string:",
    "`json.loads(ground_truth)` has `db_id` and `gold`, the list of accepted queries. A tool named",
    "`execute_sql` gets `db_id`, `database_sha256` and `example_id` when it is created.",
  ].join("\n"),
  row: (row) => ({
    data_source: `gradus/${row.example.dataset.name}`,
    prompt: promptOf(row),
    ability: "text-to-sql",
    reward_model: { style: "rule", ground_truth: groundTruth(row) },
    extra_info: extraInfo(row),
  }),
});

function promptOf({ prompt, example }: ExportRow): { role: string; content: string }[] {
  if (prompt.some((message) => message.toolCalls.length > 0)) {
    throw unsupported(example.id, "its prompt holds tool calls, expected text alone");
  }
  return prompt.map(({ role, rawText }) => ({ role, content: rawText }));
}

function groundTruth({ example }: ExportRow): string {
  if (example.gold.length === 0) throw unsupported(example.id, "it has no gold, expected at least one");
  return JSON.stringify({ db_id: example.databaseId, gold: example.gold });
}

function extraInfo(row: ExportRow) {
  const { example, databaseDigest } = row;
  return {
    index: row.index,
    split: row.split,
    example_id: example.id,
    dataset: example.dataset.name,
    release: example.dataset.release,
    source_id: example.sourceId,
    db_id: example.databaseId,
    database_sha256: databaseDigest,
    question: example.question,
    evidence: example.evidence ?? "",
    hardness: row.hardness ?? "",
    difficulty: example.difficulty ?? "",
    level: row.level ?? -1,
    pass_n: row.n,
    pass_c: row.c,
    simulated: row.simulated,
    dialogue_id: example.dialogue?.id ?? "",
    turn: example.dialogue?.turn ?? -1,
    need_tools_kwargs: true,
    tools_kwargs: {
      execute_sql: {
        create_kwargs: {
          db_id: example.databaseId,
          database_sha256: databaseDigest,
          example_id: example.id,
        },
      },
    },
  };
}

function unsupported(exampleId: string, problem: string): GradusError {
  return new GradusError("EXPORT_ROW_UNSUPPORTED", `cannot write example ${exampleId}: ${problem}`, {
    site: { plug: "verl-rl", rowId: exampleId },
  });
}
