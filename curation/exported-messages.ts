import { GradusError } from "../core/errors.ts";
import type { Json } from "../core/key.ts";
import type { ToolSchema } from "../core/model.ts";
import type { ExportRow } from "../core/shard.ts";
import type { Message, ToolCall, Trajectory } from "../core/trajectory.ts";

/** A row that a target cannot hold, with the plug that says so. */
export function unsupportedRow(plug: string, rowId: string, problem: string): GradusError {
  return new GradusError("EXPORT_ROW_UNSUPPORTED", `cannot write ${rowId} for ${plug}: ${problem}`, {
    site: { plug, rowId },
  });
}

/** A tool as APIs and chat templates are told of it, keys in the order that models see. */
export function functionTool({ name, description, parameters }: ToolSchema): {
  readonly [name: string]: Json;
} {
  return { type: "function", function: { name, description, parameters } };
}

/** The whole conversation: the trajectory's own when it holds its prompt, else after the row's prompt. */
export function conversation({ prompt }: ExportRow, trajectory: Trajectory): readonly Message[] {
  const holdsPrompt = trajectory.messages[0]?.origin === "given";
  return holdsPrompt ? trajectory.messages : [...prompt, ...trajectory.messages];
}

/** A row's trajectory. @throws EXPORT_ROW_UNSUPPORTED without one. */
export function trajectoryOf(row: ExportRow, plug: string): Trajectory {
  if (row.trajectory !== null) return row.trajectory;
  throw unsupportedRow(plug, row.example.id, "it has no trajectory, expected one to imitate");
}

/** Which roles may follow which; a conversation starts after `system` or with `user`. */
const FOLLOWS: Readonly<Record<Message["role"], readonly Message["role"][]>> = {
  system: [],
  user: ["system", "assistant", "tool"],
  assistant: ["user", "tool"],
  tool: ["assistant", "tool"],
};

/** Holds a conversation to the order that chat templates take. @throws EXPORT_ROW_UNSUPPORTED. */
export function checkOrder(messages: readonly Message[], plug: string, rowId: string): void {
  let previous: Message["role"] | null = null;
  for (const [place, { role }] of messages.entries()) {
    const isStart = previous === null && (role === "system" || role === "user");
    if (!isStart && (previous === null || !FOLLOWS[role].includes(previous))) {
      throw unsupportedRow(plug, rowId, `message ${place} is of ${role} after ${previous ?? "nothing"}`);
    }
    previous = role;
  }
  if (messages.at(-1)?.role !== "assistant" || messages.at(-1)?.origin === "given") {
    throw unsupportedRow(plug, rowId, "it does not end with a message of the assistant");
  }
}

/** Whether a message is a reply of the model that a trainer should learn. */
export function isLearned({ role, origin, train, weight }: Message): boolean {
  return role === "assistant" && origin !== "given" && train && weight > 0;
}

/** Holds a trajectory to what trainers without a mask learn: every reply, once. @throws EXPORT_ROW_UNSUPPORTED. */
export function checkLearned(trajectory: Trajectory, plug: string): void {
  for (const [place, message] of trajectory.messages.entries()) {
    if (message.role !== "assistant" || message.origin === "given") continue;
    if (message.train && message.weight === 1) continue;
    const got = message.train ? `has weight ${message.weight}` : "is not to be learned";
    throw unsupportedRow(
      plug,
      trajectory.id,
      `its message ${place} ${got} (${message.trainReason}), expected every sampled message to count once`,
    );
  }
}

/** Whether the text, beside its thought, writes its calls out itself, so that a template would write them twice. */
export function callsAreInText({ rawText, reasoning, toolCalls }: Message): boolean {
  const thought = reasoning ?? "";
  const start = thought === "" ? -1 : rawText.indexOf(thought);
  const spoken = start < 0 ? rawText : rawText.slice(0, start) + rawText.slice(start + thought.length);
  return toolCalls.every(({ argumentsRaw }) => spoken.includes(argumentsRaw));
}

/** The calls of a reply that stand beside its text. */
export function nativeCalls(message: Message): readonly ToolCall[] {
  return message.toolCalls.length === 0 || callsAreInText(message) ? [] : message.toolCalls;
}

/** The arguments of a call. @throws EXPORT_ROW_UNSUPPORTED for what is no object. */
export function callArguments(call: ToolCall, plug: string, rowId: string): Readonly<Record<string, Json>> {
  if (call.arguments !== null) return call.arguments;
  throw unsupportedRow(plug, rowId, `the arguments of call ${call.id} are not an object, expected one`);
}

/** Where a thought goes: in the text as sampled, in a field of its own, or nowhere. */
export type ThoughtPlace = "text" | "field" | "dropped";

const THINK = /^\s*<think>([\s\S]*?)<\/think>/;

/**
 * A reply as thought and text, as they were sent for later replies: white space around the text is not kept once its
 * thought is apart. A thought that the text writes between other tags than `<think>` belongs to the protocol and
 * stays where it is.
 */
export function partReply(message: Message, place: ThoughtPlace): { thought: string | null; text: string } {
  const { rawText, reasoning } = message;
  const found = place === "text" ? null : THINK.exec(rawText);
  if (found === null) return { thought: null, text: rawText };
  const [whole, inner = ""] = found;
  const bare = inner.replace(/^\n/, "").replace(/\n$/, "");
  const thought = reasoning !== null && inner.includes(reasoning) ? reasoning : bare;
  return { thought: place === "field" ? thought : null, text: rawText.slice(whole.length).trim() };
}

/** A chat message under the OpenAI names, keys always in one order. */
export interface ChatForm {
  readonly plug: string;
  readonly rowId: string;
  readonly thoughts: ThoughtPlace;
  /** The name of the field of thoughts. */
  readonly thoughtField: "reasoning_content" | "reasoning";
  /** Keys that an assistant's message has besides. */
  readonly extra?: (message: Message) => Readonly<Record<string, Json>>;
}

/** A message as chat templates take it: arguments of calls as objects. @throws EXPORT_ROW_UNSUPPORTED. */
export function chatMessage(message: Message, form: ChatForm): { readonly [name: string]: Json } {
  const { role, rawText: content } = message;
  if (role === "tool" && message.toolCallId !== null) {
    return { role, content, tool_call_id: message.toolCallId };
  }
  if (role !== "assistant") return { role, content };
  const { thought, text } = partReply(message, form.thoughts);
  const calls = nativeCalls(message).map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: callArguments(call, form.plug, form.rowId) },
  }));
  return {
    role,
    content: text,
    ...(thought === null ? {} : { [form.thoughtField]: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...form.extra?.(message),
  };
}

/**
 * A message as role and text alone: native calls follow the text in Hermes' form, byte for byte as the templates of
 * Qwen write them. Every message has the same keys, so that loaders type it the same in every file.
 * @throws EXPORT_ROW_UNSUPPORTED for arguments that are no object.
 */
export function textMessage(
  message: Message,
  form: Pick<ChatForm, "plug" | "rowId"> & { readonly thoughts: "text" | "dropped" },
): { readonly role: string; readonly content: string } {
  const { role, rawText } = message;
  if (role !== "assistant") return { role, content: rawText };
  const { text } = partReply(message, form.thoughts);
  const calls = nativeCalls(message).map((call) => {
    const given = pythonJson(callArguments(call, form.plug, form.rowId));
    return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${given}}\n</tool_call>`;
  });
  if (calls.length === 0) return { role, content: text };
  return { role, content: [text.trimEnd(), ...calls].filter((part) => part !== "").join("\n") };
}

/** JSON as Python writes it, with a space after each comma and colon. */
function pythonJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${pythonJson(member)}`).join(", ")}}`;
}

/** A prompt as text alone. @throws EXPORT_ROW_UNSUPPORTED for one that holds calls or ends with a reply. */
export function textPrompt(row: ExportRow, plug: string): { role: string; content: string }[] {
  const { prompt, example } = row;
  if (prompt.some((message) => message.toolCalls.length > 0)) {
    throw unsupportedRow(plug, example.id, "its prompt holds tool calls, expected text alone");
  }
  if (prompt.at(-1)?.role === "assistant") {
    throw unsupportedRow(plug, example.id, "its prompt ends with a reply, expected a question");
  }
  return prompt.map(({ role, rawText }) => ({ role, content: rawText }));
}

/** The golds of a row. @throws EXPORT_ROW_UNSUPPORTED without one. */
export function goldsOf({ example }: ExportRow, plug: string): readonly [string, ...string[]] {
  const [first, ...others] = example.gold;
  if (first === undefined) throw unsupportedRow(plug, example.id, "it has no gold, expected at least one");
  return [first, ...others];
}

/** Samples of one question and one task are one group. */
export function groupId({ example, task }: ExportRow): string {
  return `${example.id}:${task}`;
}

/** Columns that every SFT form ends with: where a row comes from. */
export const ORIGIN_COLUMNS = [
  { name: "id", type: "string" },
  { name: "example_id", type: "string" },
  { name: "db_id", type: "string" },
  { name: "dataset", type: "string" },
  { name: "split", type: "string" },
  { name: "level", type: "int64" },
  { name: "hardness", type: "string" },
  { name: "source", type: "string" },
  { name: "task", type: "string" },
  { name: "simulated", type: "bool" },
  { name: "pass_n", type: "int64" },
  { name: "pass_c", type: "int64" },
] as const;

/** The cells of {@link ORIGIN_COLUMNS}. */
export function originCells(row: ExportRow, trajectory: Trajectory): Readonly<Record<string, Json>> {
  const { example } = row;
  return {
    id: trajectory.id,
    example_id: example.id,
    db_id: example.databaseId,
    dataset: example.dataset.name,
    split: row.split,
    level: row.level ?? -1,
    hardness: row.hardness ?? "",
    source: trajectory.source,
    task: row.task,
    simulated: row.simulated,
    pass_n: row.n,
    pass_c: row.c,
  };
}
