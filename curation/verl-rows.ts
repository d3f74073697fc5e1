import type { ColumnType, ExportRow, ShardCells, ShardColumn } from "../core/shard.ts";
import { goldsOf, groupId, textPrompt } from "./exported-messages.ts";

const CREATE_KWARGS = { db_id: "string", database_sha256: "string", example_id: "string" } as const;

const EXTRA_INFO: Readonly<Record<string, ColumnType>> = {
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
  scaffold: "string",
  task: "string",
  group_id: "string",
  gold_links: "string",
  full_schema: "string",
  oracle_schema: "string",
};

/** What rows for verl's `RLHFDataset` depend on. */
export interface VerlForm {
  readonly plug: string;
  /** Every tool of any row: each row has all of them, so that no field is ever null. */
  readonly toolNames: readonly string[];
  /** The agent loop of each row; `null` for the one that the trainer's config names. */
  readonly agentName: string | null;
}

/** The columns of {@link verlRow}. */
export function verlColumns({ toolNames, agentName }: VerlForm): ShardColumn[] {
  const kwargs = toolNames.map((name) => [name, { struct: { create_kwargs: { struct: CREATE_KWARGS } } }]);
  const tools: Readonly<Record<string, ColumnType>> =
    toolNames.length === 0
      ? {}
      : {
          tools_kwargs: { struct: Object.fromEntries(kwargs) as Record<string, ColumnType> },
          tool_selection: { list: "string" },
        };
  return [
    { name: "data_source", type: "string" },
    { name: "prompt", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "ability", type: "string" },
    { name: "reward_model", type: { struct: { style: "string", ground_truth: "string" } } },
    { name: "extra_info", type: { struct: { ...EXTRA_INFO, need_tools_kwargs: "bool", ...tools } } },
    ...(agentName === null ? [] : [{ name: "agent_name", type: "string" as const }]),
  ];
}

/** A prompt with its golds as verl's `RLHFDataset` reads it. @throws EXPORT_ROW_UNSUPPORTED. */
export function verlRow(row: ExportRow, form: VerlForm): ShardCells {
  const { agentName, plug } = form;
  return {
    data_source: `gradus/${row.example.dataset.name}`,
    prompt: textPrompt(row, plug),
    ability: "text-to-sql",
    reward_model: { style: "rule", ground_truth: groundTruth(row, plug) },
    extra_info: extraInfo(row, form),
    ...(agentName === null ? {} : { agent_name: agentName }),
  };
}

function groundTruth(row: ExportRow, plug: string): string {
  return JSON.stringify({ db_id: row.example.databaseId, gold: goldsOf(row, plug) });
}

function extraInfo(row: ExportRow, { toolNames }: VerlForm) {
  const { example, databaseDigest, linking } = row;
  const create_kwargs = {
    db_id: example.databaseId,
    database_sha256: databaseDigest,
    example_id: example.id,
  };
  const tools =
    toolNames.length === 0
      ? {}
      : {
          tools_kwargs: Object.fromEntries(toolNames.map((name) => [name, { create_kwargs }])),
          tool_selection: row.toolNames,
        };
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
    scaffold: row.scaffold?.id ?? "",
    task: row.task,
    group_id: groupId(row),
    gold_links: linking === null ? "" : JSON.stringify(linking.goldLinks),
    full_schema: linking?.full ?? "",
    oracle_schema: linking?.oracle ?? "",
    need_tools_kwargs: toolNames.length > 0,
    ...tools,
  };
}
