import type { ModelReply } from "../core/model.ts";
import type { Message } from "../core/trajectory.ts";

/** A part of the prompt. */
export function givenMessage(role: "system" | "user", text: string): Message {
  return { ...shownMessage(role, text), origin: "given", trainReason: "prompt" };
}

/** What the environment says: the reply to the call `toolCallId` of a server's tool interface, or else a user. */
export function environmentMessage(text: string, toolCallId: string | null = null): Message {
  return {
    ...shownMessage(toolCallId === null ? "user" : "tool", text),
    origin: "environment",
    toolCallId,
    trainReason: "environment",
  };
}

/** What a guardrail puts in, with its snake_case reason. */
export function injectedMessage(text: string, reason: string): Message {
  return { ...shownMessage("user", text), origin: "injected", trainReason: reason };
}

/** A reply taken apart by its scaffold. `restored`: a closing tag that the server took for itself; often empty. */
export interface ReplyParts extends Pick<Message, "reasoning" | "content" | "toolCalls"> {
  readonly restored: string;
}

/**
 * A reply as the message that stays. Its raw text is the reply's; a thought that the server parsed out is
 * put back before it between `<think>` tags. The text is exact only where the reply's is and nothing of it
 * was put together here: no such thought, no restored tag, no calls that the server parsed out.
 */
export function sampledMessage(reply: ModelReply, parts: ReplyParts): Message {
  const thought = reply.reasoning === null ? "" : `<think>\n${reply.reasoning}\n</think>\n\n`;
  const isRebuilt = reply.reasoning !== null || parts.restored !== "" || reply.toolCalls.length > 0;
  return {
    role: "assistant",
    origin: "sampled",
    rawText: `${thought}${reply.content}${parts.restored}`,
    rawExact: reply.rawExact && !isRebuilt,
    reasoning: parts.reasoning,
    content: parts.content,
    toolCalls: parts.toolCalls,
    toolCallId: null,
    train: true,
    weight: 1,
    trainReason: "sampled",
  };
}

function shownMessage(role: Message["role"], text: string): Omit<Message, "origin" | "trainReason"> {
  return {
    role,
    rawText: text,
    rawExact: false,
    reasoning: null,
    content: text,
    toolCalls: [],
    toolCallId: null,
    train: false,
    weight: 0,
  };
}
