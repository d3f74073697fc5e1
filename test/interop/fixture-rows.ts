import type { Exporter, ExportRow, ShardFacts, ShardForm, ShardSet } from "../../core/shard.ts";
import type { Message, ToolCall, Trajectory } from "../../core/trajectory.ts";

type Split = ExportRow["split"];

/** A message with nothing special about it: given unless of the assistant, learned if of the assistant. */
export function message(role: Message["role"], rawText: string, changes: Partial<Message> = {}): Message {
  const isSampled = role === "assistant";
  return {
    role,
    origin: isSampled ? "sampled" : role === "tool" ? "environment" : "given",
    rawText,
    rawExact: false,
    reasoning: null,
    content: rawText,
    toolCalls: [],
    toolCallId: null,
    train: isSampled,
    weight: isSampled ? 1 : 0,
    trainReason: isSampled ? "sampled" : "not_sampled",
    ...changes,
  };
}

/** A call of `execute_sql` by API: the arguments are beside the text, not in it. */
export function sqlCall(id: string, sql: string): ToolCall {
  return { id, name: "execute_sql", argumentsRaw: JSON.stringify({ sql }), arguments: { sql } };
}

/** A trajectory around `messages`; ids are made of `mark`, one hexadecimal digit. */
export function trajectory(mark: string, messages: readonly Message[]): Trajectory {
  return {
    id: `e${mark}`.padEnd(32, "0"),
    exampleId: `a${mark}`.padEnd(32, "0"),
    sampleIndex: 0,
    round: 0,
    model: { name: "small-model", revision: "r1" },
    scaffold: { id: "single-turn", version: 1, options: {} },
    source: "sampled",
    pastThoughts: "none",
    messages: [...messages],
    finalSql: "SELECT 1",
    stopReason: "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed: null,
  };
}

/** A plain row of the example `mark`, without a trajectory. */
export function exportRow(mark: string, changes: Partial<ExportRow> = {}): ExportRow {
  return {
    index: 0,
    split: "train",
    example: {
      id: `a${mark}`.padEnd(32, "0"),
      dataset: { name: "spider", release: "1.0", split: "train" },
      sourceId: "7",
      databaseId: "island_ferries",
      question: "How many ferries are there?",
      evidence: null,
      history: [],
      dialogue: null,
      gold: ["SELECT count(*) FROM ferry"],
      difficulty: null,
      paraphraseOf: null,
      referenceReasoning: null,
    },
    databaseDigest: "d".repeat(64),
    prompt: [message("system", "Answer with SQL."), message("user", "How many ferries are there?")],
    trajectory: null,
    level: null,
    hardness: null,
    n: 8,
    c: 3,
    simulated: false,
    scaffold: null,
    tools: [],
    toolNames: [],
    task: "sql",
    linking: null,
    promptFrom: "no_rollout",
    rejected: null,
    ...changes,
  };
}

/** A tool as requests carried it. */
export const SQL_TOOL = {
  name: "execute_sql",
  description: "Runs a query.",
  parameters: {
    type: "object",
    properties: { sql: { type: "string", description: "The query." } },
    required: ["sql"],
  },
};

/** What an exporter knows of no rows. */
export const NO_FACTS: ShardFacts = { toolNames: [], tools: [], datasetName: "fixture" };

/** An exporter opened under options, as if it had seen tools of `facts`. */
export function openForm(
  exporter: Exporter,
  options: unknown = {},
  facts: ShardFacts = NO_FACTS,
): ShardForm | Promise<ShardForm> {
  return exporter.open(exporter.options.parse(options), facts);
}

/** The facts of rows. */
export function factsOf(rows: readonly ExportRow[]): ShardFacts {
  const tools = new Map(rows.flatMap((row) => row.tools.map((tool) => [tool.name, tool])));
  return {
    ...NO_FACTS,
    toolNames: [...new Set(rows.flatMap((row) => row.toolNames))],
    tools: [...tools.values()],
  };
}

/** Rows that vary in all that a row can vary in; `set` says whether they carry trajectories. */
export function variedRows(set: ShardSet, train: number, validation: number): ExportRow[] {
  return [...splitRows(set, "train", train), ...splitRows(set, "validation", validation)];
}

const TEXTS = [
  "",
  "naïve 日本語 \u{1F600}",
  'line\nbreak\tand "quotes" \\ \'',
  "nul \u0000 \u2028",
  "<think>x</think>",
];

function splitRows(set: ShardSet, split: Split, count: number): ExportRow[] {
  return Array.from({ length: count }, (_, index) => {
    const mark = (index % 16).toString(16);
    const plain = exportRow(mark);
    const text = TEXTS[index % TEXTS.length] ?? "";
    return exportRow(mark, {
      index,
      split,
      example: {
        ...plain.example,
        sourceId: `${split}-${index}`,
        question: `Question ${index} ${text}`,
        evidence: index % 2 === 0 ? null : text,
        gold: Array.from({ length: 1 + (index % 3) }, (_item, place) => `SELECT ${place} -- ${text}`),
        difficulty: index % 3 === 0 ? "moderate" : null,
        dialogue: index % 4 === 0 ? { id: `d${index}`, turn: index % 3, turns: 3 } : null,
      },
      level: index % 5 === 0 ? null : index % 5,
      hardness: index % 2 === 0 ? "extra" : null,
      n: index,
      c: Math.floor(index / 2),
      simulated: index % 7 === 6,
      ...(set === "rl" && index % 3 === 1 ? AGENT : {}),
      ...(set === "rl" && index % 6 === 1 ? LINKED : {}),
      ...trajectories(set, index, text),
    });
  });
}

/** A row of an agent with tools in its text. */
const AGENT: Partial<ExportRow> = {
  scaffold: { id: "dualsql-sql", version: 1, options: { calls: "text" } },
  toolNames: ["execute_sql", "full_text_search"],
  promptFrom: "rollouts",
};

const LINKED: Partial<ExportRow> = {
  task: "generator",
  linking: {
    goldLinks: [{ table: "ferry", columns: [] }],
    full: "CREATE TABLE ferry (id)\nCREATE TABLE port (id)",
    oracle: "CREATE TABLE ferry (id)",
  },
};

/** What a row of a set imitates; every second row of a pair has tools. */
function trajectories(set: ShardSet, index: number, text: string): Partial<ExportRow> {
  if (set === "rl" || set === "baseline") return { trajectory: null };
  const mark = (index % 16).toString(16);
  const place = index % CONVERSATIONS.length;
  const right = trajectory(mark, CONVERSATIONS[place]?.(text) ?? []);
  const tools = place === 0 ? {} : { tools: [SQL_TOOL], toolNames: ["execute_sql"] };
  if (set === "sft") return { trajectory: right, ...tools };
  const wrong = {
    ...trajectory(mark, [message("assistant", `wrong ${index}`)]),
    id: `f${mark}`.padEnd(32, "0"),
  };
  return { trajectory: right, rejected: wrong, ...tools };
}

/** The first has no tool call, so that a split of one row has none at all. */
const CONVERSATIONS: readonly ((text: string) => Message[])[] = [
  (text) => [message("assistant", `${text}\`\`\`sql\nSELECT 1\n\`\`\``)],
  (text) => [
    message("assistant", text, { toolCalls: [sqlCall("call-1", `SELECT '${text}'`)] }),
    message("tool", `1 row\n${text}`, { toolCallId: "call-1" }),
    message("assistant", `<think>one ${text}</think>SELECT 1`),
  ],
  (text) => [
    message("assistant", text, {
      toolCalls: [
        {
          id: "call-2",
          name: "describe",
          argumentsRaw: "{}",
          arguments: { table: "t", deep: [1, { a: 0.5 }] },
        },
      ],
    }),
    message("tool", "", { toolCallId: "call-2" }),
    message("assistant", "SELECT 2"),
  ],
];
