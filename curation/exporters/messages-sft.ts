import { z } from "zod";
import {
  defineExporterWithOptions,
  type ExportRow,
  type ShardCells,
  type ShardForm,
} from "../../core/shard.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";
import {
  chatMessage,
  checkLearned,
  checkOrder,
  conversation,
  functionTool,
  isLearned,
  nativeCalls,
  ORIGIN_COLUMNS,
  originCells,
  textMessage,
  type ThoughtPlace,
  trajectoryOf,
} from "../exported-messages.ts";

const PLUG = "messages-sft";

/** What a trainer's loader of chat messages takes. */
interface Target {
  /** Tools as one JSON string, or as a list as they stand. */
  readonly tools: "text" | "list";
  /** Where thoughts of replies with native calls go by default. */
  readonly thoughts: ThoughtPlace;
  /** Whether a reply can be left out of the loss by a key of its message. */
  readonly mask: "none" | "loss" | "train";
  readonly lossy: readonly string[];
  readonly usage: string;
}

const NO_MASK =
  "It has no mask by message: a trajectory with a sampled turn that must not be learned, or with a weight other than " +
  "1, is refused, unless `turns: each` writes one row for each trained turn; assistant turns of a prompt are learned.";

const TARGETS = {
  trl: {
    tools: "text",
    thoughts: "field",
    mask: "none",
    lossy: [NO_MASK, "TRL ignores `weight`."],
    usage:
      "`messages` loads with TRL's `SFTTrainer`. Set `assistant_only_loss=True`: without it the prompt and the tools' " +
      "replies are learned too. Raise `max_length`: the end of a row is its answer.",
  },
  "prime-rl": {
    tools: "text",
    thoughts: "field",
    mask: "none",
    lossy: [NO_MASK],
    usage: "Load with prime-rl's SFT trainer; its default mask learns the assistant's messages.",
  },
  skyrl: {
    tools: "text",
    thoughts: "field",
    mask: "none",
    lossy: [NO_MASK],
    usage:
      "Load with `skyrl.train.main_sft` and set `train_on_what=all_assistant_messages` (its default learns the last " +
      "message alone, which is right for `turns: each`).",
  },
  "ms-swift": {
    tools: "text",
    thoughts: "text",
    mask: "loss",
    lossy: ["Weights other than 0 and 1 are written as `loss_scale`, which needs ms-swift 4.2."],
    usage: "Load with `swift sft --dataset <file>`: `loss` says of each reply whether it is learned.",
  },
  axolotl: {
    tools: "list",
    thoughts: "field",
    mask: "train",
    lossy: ["A weight other than 0 and 1 is refused."],
    usage:
      "`type: chat_template`, `field_messages: messages`, `field_tools: tools`, `roles_to_train: []`, so that " +
      "`train` of each message decides, and `train_on_eos: turn`.",
  },
  "nemo-rl": {
    tools: "list",
    thoughts: "field",
    mask: "none",
    lossy: [NO_MASK],
    usage:
      "`dataset_name: openai_format` with `use_preserving_dataset: true`; the assistant's messages are learned.",
  },
} as const satisfies Readonly<Record<string, Target>>;

const Options = z.strictObject({
  /** Whose loader reads the rows. */
  for: z.enum(["trl", "prime-rl", "skyrl", "ms-swift", "axolotl", "nemo-rl"]).default("trl"),
  /**
   * Where thoughts between `<think>` tags go: in the text as sampled, in `reasoning_content`, or nowhere. `auto`: in
   * the field where calls are native, in the text elsewhere.
   */
  thoughts: z.enum(["auto", "text", "field", "dropped"]).default("auto"),
  /**
   * `each`: one row for each trained turn, that turn last; for TRL and prime-rl as `prompt` and `completion`, whose
   * messages are role and text alone, native calls in the text in Hermes' form.
   */
  turns: z.enum(["all", "each"]).default("all"),
});
type Options = z.infer<typeof Options>;

/**
 * A trajectory a row, as chat messages, for trainers that take them. Rows of native calls carry their tools, the same
 * bytes as the requests did. Assistant messages carry `weight` (1: learn it, 0: part of the prompt), or what the
 * trainer's mask is called; so the keys of messages differ within every row, and loaders type `messages` the same in
 * every file, with tool calls or without.
 */
export default defineExporterWithOptions({
  id: PLUG,
  version: 2,
  format: "jsonl",
  set: "sft",
  options: Options,
  readsFacts: (options) => TARGETS[options.for].tools === "list",
  open(options, facts): ShardForm {
    const target: Target = TARGETS[options.for];
    const hasTools = target.tools === "text" || facts.tools.length > 0;
    const parts = isParted(options) ? ["prompt", "completion"] : ["messages"];
    return {
      columns: [
        ...parts.map((name) => ({ name, type: MESSAGES })),
        ...(hasTools ? [{ name: "tools", type: target.tools === "text" ? ("string" as const) : LIST }] : []),
        ...ORIGIN_COLUMNS,
      ],
      lossy: [
        ...target.lossy,
        "Token ids, usage, seed and sampling parameters are not written.",
        THOUGHTS[options.thoughts],
        'What is absent reads as "" (hardness) or -1 (level).',
      ],
      usage: [
        target.usage,
        "An assistant message may have `tool_calls`, whose `arguments` are objects, as chat templates expect them; the",
        "tool's reply names its call by `tool_call_id`. `tools` holds the tools that the requests carried.",
      ].join("\n"),
      rows: (row) => rowsOf(row, options, hasTools),
    };
  },
});

const MESSAGES = { list: { struct: { role: "string", content: "string" } } } as const;
const LIST = { list: { struct: { type: "string", function: { struct: { name: "string" } } } } } as const;
const THOUGHTS: Readonly<Record<Options["thoughts"], string>> = {
  auto: "A thought is in `reasoning_content` where calls are native, else in its message's text as sampled; chat templates may drop thoughts of earlier turns.",
  text: "A thought is part of its message's text, as sampled; chat templates may drop thoughts of earlier turns.",
  field: "A thought is in `reasoning_content`; chat templates may drop thoughts of earlier turns.",
  dropped: "Thoughts between `<think>` tags are left out.",
};

function isParted({ turns, for: target }: Options): boolean {
  return turns === "each" && (target === "trl" || target === "prime-rl");
}

function rowsOf(row: ExportRow, options: Options, hasTools: boolean): ShardCells[] {
  const trajectory = trajectoryOf(row, PLUG);
  const messages = conversation(row, trajectory);
  checkOrder(messages, PLUG, trajectory.id);
  const target: Target = TARGETS[options.for];
  if (options.turns === "all" && target.mask === "none") checkLearned(trajectory, PLUG);
  const tools = hasTools ? { tools: toolCells(row, target) } : {};
  const origin = originCells(row, trajectory);
  const written = messages.map((message) => messageCells(message, { row, trajectory, options }));
  if (options.turns === "all") return [{ messages: written, ...tools, ...origin }];
  const alone = {
    plug: PLUG,
    rowId: trajectory.id,
    thoughts: options.thoughts === "dropped" ? "dropped" : "text",
  } as const;
  const places = messages.flatMap((message, place) => (isLearned(message) ? [place] : []));
  return places.map((place) => {
    const head = written.slice(0, place);
    const turn = written[place] as ReturnType<typeof messageCells>;
    const parts = isParted(options)
      ? {
          prompt: messages.slice(0, place).map((message) => textMessage(message, alone)),
          completion: [textMessage(messages[place] as Message, alone)],
        }
      : { messages: [...head.map((cells, at) => unlearned(cells, messages[at] as Message, target)), turn] };
    return { ...parts, ...tools, ...origin };
  });
}

function toolCells({ tools }: ExportRow, target: Target) {
  const listed = tools.map(functionTool);
  return target.tools === "text" ? JSON.stringify(listed) : listed;
}

function messageCells(
  message: Message,
  { row, trajectory, options }: { row: ExportRow; trajectory: Trajectory; options: Options },
) {
  const target: Target = TARGETS[options.for];
  const isNative = row.tools.length > 0 || nativeCalls(message).length > 0;
  const thoughts = options.thoughts === "auto" ? (isNative ? target.thoughts : "text") : options.thoughts;
  const extra = (given: Message) => maskOf(given, isLearned(given), target);
  return chatMessage(message, {
    plug: PLUG,
    rowId: trajectory.id,
    thoughts,
    thoughtField: "reasoning_content",
    extra,
  });
}

/** What a message says of its loss under the names of the trainer. */
function maskOf(message: Message, isTrained: boolean, target: Target) {
  if (target.mask === "loss") {
    const scale = isTrained && message.weight !== 1 ? { loss_scale: message.weight } : {};
    return { loss: isTrained, ...scale };
  }
  if (target.mask === "train") return { train: isTrained };
  return { weight: isTrained ? 1 : 0 };
}

function unlearned(cells: ShardCells, message: Message, target: Target): ShardCells {
  return message.role === "assistant"
    ? { ...cells, ...maskOf({ ...message, weight: 1 }, false, target) }
    : cells;
}
