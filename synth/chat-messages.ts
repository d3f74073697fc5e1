import { canonicalJson } from "../core/key.ts";
import type { ChatMessage } from "../core/model.ts";
import type { Scaffold } from "../core/scaffold.ts";
import type { Message, ToolCall } from "../core/trajectory.ts";
import { isObjectText, isTextCall } from "./call-parser.ts";
import { toolResponseText } from "./guardrails.ts";

/** How a scaffold has its replies shown to it again: `nativeTools` where calls go through the server's interface. */
export interface ShownForm extends Pick<Scaffold, "pastThoughts"> {
  readonly nativeTools: boolean;
}

/**
 * Messages as they go to a server. An earlier reply is its raw text where thoughts are kept, its content
 * where they are not; through a server's tool interface it is always its content with its calls, and a kept
 * thought goes in a field of its own. There, calls that stand in the text are not sent a second time, repaired
 * arguments are sent as they were read, and a call whose arguments cannot be read is sent in the text, its
 * answer as a user's after the other answers: servers refuse a conversation with such a call.
 */
export function chatMessages(
  messages: readonly Message[],
  { pastThoughts, nativeTools }: ShownForm,
): ChatMessage[] {
  const sent: ChatMessage[] = [];
  const unsent = new Set<string>();
  let answers: string[] = [];
  const flush = (): void => {
    if (answers.length > 0) sent.push({ ...BARE, role: "user", content: answers.join("\n") });
    answers = [];
  };
  for (const message of messages) {
    const { role, rawText, toolCallId } = message;
    if (role !== "tool") flush();
    if (role === "tool" && toolCallId !== null && unsent.has(toolCallId)) {
      answers.push(toolResponseText(rawText));
    } else if (role !== "assistant") {
      sent.push({ ...BARE, role, content: rawText, toolCallId });
    } else {
      if (nativeTools) for (const { id } of unreadableCalls(message)) unsent.add(id);
      sent.push(replyShown(message, { pastThoughts, nativeTools }));
    }
  }
  flush();
  return sent;
}

function replyShown(message: Message, { pastThoughts, nativeTools }: ShownForm): ChatMessage {
  const { rawText, content, reasoning, toolCalls, toolCallId } = message;
  const keepsThoughts = pastThoughts === "kept";
  const bare = { ...BARE, role: "assistant", toolCallId } as const;
  if (!nativeTools) return { ...bare, content: keepsThoughts ? rawText : content };
  const parts = [content, ...unreadableCalls(message).map(unreadableCallText)];
  return {
    ...bare,
    content: parts.filter((part) => part !== "").join("\n"),
    reasoning: keepsThoughts ? reasoning : null,
    toolCalls: toolCalls.flatMap(sentCall),
  };
}

/** Calls through the server's interface that it could not read again. */
function unreadableCalls({ toolCalls }: Message): ToolCall[] {
  return toolCalls.filter((call) => call.arguments === null && !isTextCall(call));
}

const BARE = { reasoning: null, toolCalls: [], toolCallId: null };

function sentCall(call: ToolCall): ToolCall[] {
  if (isTextCall(call) || call.arguments === null) return [];
  return [isObjectText(call.argumentsRaw) ? call : { ...call, argumentsRaw: canonicalJson(call.arguments) }];
}

function unreadableCallText({ name, argumentsRaw }: ToolCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${argumentsRaw}}\n</tool_call>`;
}
