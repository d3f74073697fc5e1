import { z } from "zod";
import {
  defineExporterWithOptions,
  type ExportRow,
  type ShardCells,
  type ShardContent,
  type ShardForm,
} from "../../core/shard.ts";
import type { Message } from "../../core/trajectory.ts";
import {
  callArguments,
  checkLearned,
  checkOrder,
  conversation,
  functionTool,
  isLearned,
  nativeCalls,
  ORIGIN_COLUMNS,
  originCells,
  partReply,
  trajectoryOf,
  unsupportedRow,
} from "../exported-messages.ts";
import { llamaFactoryConfigs } from "../launch-recipes.ts";

const PLUG = "llama-factory";

const Options = z.strictObject({
  /** Whether thoughts between `<think>` tags stay in the text or are left out. */
  thoughts: z.enum(["text", "dropped"]).default("text"),
  /** `each`: one row for each trained turn, that turn last; train it with `mask_history: true`. */
  turns: z.enum(["all", "each"]).default("all"),
});
type Options = z.infer<typeof Options>;

/** What stands between the results of one turn's calls: the form that its own converter writes. */
const BETWEEN_RESULTS = "\n</tool_response>\n<tool_response>\n";

/**
 * Trajectories in LLaMA-Factory's `sharegpt` form, each split in a folder of its own with `dataset_info.json` above:
 * the loader takes every file of a folder. Native calls stand in `function_call` messages inside one pair of
 * `<tool_call>` tags, several as a list: the one form that keeps what the reply says besides. Results of one turn are
 * one `tool` message.
 */
export default defineExporterWithOptions({
  id: PLUG,
  version: 1,
  format: "jsonl",
  set: "sft",
  ownFolders: true,
  options: Options,
  open: (options, { datasetName }): ShardForm => ({
    columns: [
      { name: "messages", type: { list: { struct: { role: "string", content: "string" } } } },
      { name: "tools", type: "string" },
      { name: "system", type: "string" },
      ...ORIGIN_COLUMNS,
    ],
    lossy: [
      "LLaMA-Factory has no mask by message: a trajectory with a sampled turn that must not be learned is refused, unless `turns: each` writes one row for each trained turn for `mask_history: true`.",
      "Calls are learned in Hermes' form; a template with another tool format writes them otherwise at inference.",
      "Which call a result answers is its place alone.",
      'What is absent reads as "" or -1 (level).',
    ],
    usage: [
      "`dataset_dir` is this folder, `dataset` the name in `dataset_info.json`; `launch/` has configs with the papers'",
      "hyper-parameters. Set `template` to that of your model, and `cutoff_len` above the longest row: what is longer",
      "loses its end, the answer.",
    ].join("\n"),
    rows: (row) => rowsOf(row, options),
    sideFiles: (content) => sideFiles(content, datasetName, options),
  }),
});

interface Turn {
  readonly role: "user" | "assistant" | "tool" | "function_call";
  readonly content: string;
  readonly isLearned: boolean;
}

function rowsOf(row: ExportRow, options: Options): ShardCells[] {
  const trajectory = trajectoryOf(row, PLUG);
  const all = conversation(row, trajectory);
  checkOrder(all, PLUG, trajectory.id);
  if (options.turns === "all") checkLearned(trajectory, PLUG);
  const system = all[0]?.role === "system" ? all[0].rawText : "";
  const turns = joined(
    all.filter(({ role }) => role !== "system"),
    trajectory.id,
    options,
  );
  const tools = JSON.stringify(row.tools.map(functionTool));
  const cells = (messages: readonly Turn[]): ShardCells => ({
    messages: messages.map(({ role, content }) => ({ role, content })),
    tools,
    system,
    ...originCells(row, trajectory),
  });
  if (options.turns === "all") return [cells(turns)];
  return turns.flatMap((turn, place) => (turn.isLearned ? [cells(turns.slice(0, place + 1))] : []));
}

/** Messages in strict alternation, results of one turn as one. */
function joined(messages: readonly Message[], rowId: string, options: Options): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const previous = turns.at(-1);
    if (message.role === "tool" && previous?.role === "tool") {
      turns[turns.length - 1] = {
        ...previous,
        content: previous.content + BETWEEN_RESULTS + message.rawText,
      };
      continue;
    }
    const isReply = message.role === "assistant";
    if (isReply === (turns.length % 2 === 0)) {
      throw unsupportedRow(PLUG, rowId, `its messages do not alternate at a message of ${message.role}`);
    }
    turns.push(isReply ? replyTurn(message, rowId, options) : userTurn(message));
  }
  return turns;
}

function userTurn({ role, rawText }: Message): Turn {
  return { role: role === "tool" ? "tool" : "user", content: rawText, isLearned: false };
}

function replyTurn(message: Message, rowId: string, { thoughts }: Options): Turn {
  const { text } = message.origin === "given" ? { text: message.rawText } : partReply(message, thoughts);
  const calls = nativeCalls(message).map((call) => ({
    name: call.name,
    arguments: callArguments(call, PLUG, rowId),
  }));
  const learned = isLearned(message);
  if (calls.length === 0) return { role: "assistant", content: text, isLearned: learned };
  const body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
  const content = [text.trimEnd(), `<tool_call>\n${body}\n</tool_call>`]
    .filter((part) => part !== "")
    .join("\n");
  return { role: "function_call", content, isLearned: learned };
}

/** The entry of a split in `dataset_info.json`: every tag is named, for those left out read as none. */
function entry(split: string) {
  return {
    file_name: split,
    formatting: "sharegpt",
    columns: { messages: "messages", tools: "tools", system: "system" },
    tags: {
      role_tag: "role",
      content_tag: "content",
      user_tag: "user",
      assistant_tag: "assistant",
      observation_tag: "tool",
      function_tag: "function_call",
      system_tag: "system",
    },
  };
}

function sideFiles(content: ShardContent, datasetName: string, { turns }: Options) {
  const name = datasetName.replace(/[^A-Za-z0-9_]+/g, "_").toLowerCase();
  const hasValidation = content.rows.validation > 0;
  const names = { dataset: name, validation: hasValidation ? `${name}_validation` : null };
  const info = {
    [name]: entry("train"),
    ...(names.validation === null ? {} : { [names.validation]: entry("validation") }),
  };
  return [
    { path: "dataset_info.json", text: `${JSON.stringify(info, null, 2)}\n` },
    ...llamaFactoryConfigs(content, { ...names, masksHistory: turns === "each" }),
  ];
}
