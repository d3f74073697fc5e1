import { GradusError } from "../../core/errors.ts";
import type { Json } from "../../core/key.ts";
import { defineExporter, type ExportRow } from "../../core/shard.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";

/**
 * A trajectory a row, as chat messages. Assistant messages carry `weight` (1: learn it, 0: part of the
 * prompt); so the keys of messages differ within every row, and loaders type `messages` the same in every
 * file, with tool calls or without.
 */
export default defineExporter({
  id: "messages-sft",
  version: 1,
  format: "jsonl",
  set: "sft",
  columns: [
    { name: "messages", type: { list: { struct: { role: "string", content: "string" } } } },
    { name: "id", type: "string" },
    { name: "example_id", type: "string" },
    { name: "db_id", type: "string" },
    { name: "dataset", type: "string" },
    { name: "split", type: "string" },
    { name: "level", type: "int64" },
    { name: "hardness", type: "string" },
    { name: "source", type: "string" },
    { name: "simulated", type: "bool" },
    { name: "pass_n", type: "int64" },
    { name: "pass_c", type: "int64" },
  ],
  lossy: [
    "Most trainers ignore `weight` and learn every assistant message: a trajectory with a sampled turn that " +
      "must not be learned, or with a weight other than 1, is refused; assistant turns of a prompt are learned.",
    "Token ids, usage, seed and sampling parameters are not written.",
    "A thought is part of its message's text, as sampled; chat templates may drop thoughts of earlier turns.",
    'What is absent reads as "" (hardness) or -1 (level).',
  ],
  usage: [
    "`messages` loads with TRL's `SFTTrainer` (set `assistant_only_loss=True`: without it the prompt is",
    "learned too, and raise `max_length`: the end of a row is its answer) and with any trainer that takes",
    "chat messages. An assistant message may have `tool_calls`, whose `arguments` are objects, as chat",
    "templates expect them; the tool's reply names its call by `tool_call_id`.",
  ].join("\n"),
  row(row) {
    const { example, trajectory } = row;
    if (trajectory === null) throw unsupported(example.id, "it has no trajectory, expected one to imitate");
    checkTurns(row, trajectory);
    return {
      messages: conversation(row, trajectory).map((message) => messageJson(message, trajectory.id)),
      id: trajectory.id,
      example_id: example.id,
      db_id: example.databaseId,
      dataset: example.dataset.name,
      split: row.split,
      level: row.level ?? -1,
      hardness: row.hardness ?? "",
      source: trajectory.source,
      simulated: row.simulated,
      pass_n: row.n,
      pass_c: row.c,
    };
  },
});

type MessageJson = { readonly [name: string]: Json };

function messageJson(message: Message, trajectoryId: string): MessageJson {
  const { role, rawText: content } = message;
  if (role === "tool" && message.toolCallId !== null) {
    return { role, content, tool_call_id: message.toolCallId };
  }
  if (role !== "assistant") return { role, content };
  const weight = message.train ? 1 : 0;
  if (message.toolCalls.length === 0 || callsAreInText(message)) return { role, content, weight };
  const calls = message.toolCalls.map((call) => {
    if (call.arguments === null) {
      throw unsupported(trajectoryId, `the arguments of call ${call.id} are not an object, expected one`);
    }
    return {
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    };
  });
  return { role, content, tool_calls: calls, weight };
}

/** Whether the sampled text, beside its thought, writes its calls out itself, so that a template would write them twice. */
function callsAreInText({ rawText, reasoning, toolCalls }: Message): boolean {
  const thought = reasoning ?? "";
  const start = thought === "" ? -1 : rawText.indexOf(thought);
  const spoken = start < 0 ? rawText : rawText.slice(0, start) + rawText.slice(start + thought.length);
  return toolCalls.every(({ argumentsRaw }) => spoken.includes(argumentsRaw));
}

/** Which roles may follow which; a conversation starts after `system` or with `user`. */
const FOLLOWS: Readonly<Record<Message["role"], readonly Message["role"][]>> = {
  system: [],
  user: ["system", "assistant", "tool"],
  assistant: ["user", "tool"],
  tool: ["assistant", "tool"],
};

/** The whole conversation: the trajectory's own when it holds its prompt, else after the row's prompt. */
function conversation({ prompt }: ExportRow, trajectory: Trajectory): readonly Message[] {
  const holdsPrompt = trajectory.messages[0]?.origin === "given";
  return holdsPrompt ? trajectory.messages : [...prompt, ...trajectory.messages];
}

function checkTurns(row: ExportRow, trajectory: Trajectory): void {
  const all = conversation(row, trajectory);
  let previous: Message["role"] | null = null;
  for (const [place, { role }] of all.entries()) {
    const isStart = previous === null && (role === "system" || role === "user");
    if (!isStart && (previous === null || !FOLLOWS[role].includes(previous))) {
      throw unsupported(trajectory.id, `message ${place} is of ${role} after ${previous ?? "nothing"}`);
    }
    previous = role;
  }
  if (trajectory.messages.at(-1)?.role !== "assistant") {
    throw unsupported(trajectory.id, "it does not end with a message of the assistant");
  }
  for (const [place, message] of trajectory.messages.entries()) {
    if (message.role !== "assistant" || message.origin === "given") continue;
    if (!message.train || message.weight !== 1) {
      const got = message.train ? `has weight ${message.weight}` : "is not to be learned";
      throw unsupported(
        trajectory.id,
        `its message ${place} ${got} (${message.trainReason}), expected every sampled message to count once`,
      );
    }
  }
}

function unsupported(id: string, problem: string): GradusError {
  return new GradusError("EXPORT_ROW_UNSUPPORTED", `cannot write ${id} as messages: ${problem}`, {
    site: { plug: "messages-sft", rowId: id },
  });
}
