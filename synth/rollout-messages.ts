import { z } from "zod";
import { MessageOrigin } from "../core/trajectory.ts";
import type { Message, ToolCall } from "../core/trajectory.ts";
import { splitThought } from "./answer-text.ts";
import { isFields, textField } from "./prediction-fields.ts";
import type { Fields } from "./prediction-fields.ts";

type Role = Message["role"];

const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
};
const ToolArguments = z.record(z.string(), z.json());

/** Makes the error to throw for what is wrong with a rollout. */
export type Complaint = (problem: string) => Error;

/**
 * Reads the messages of a rollout made elsewhere, leniently: the form of chat APIs (`content` a string,
 * parts or null, `tool_calls`, `reasoning_content`) or that of gradus. What says nothing of its origin is
 * taken by its place: before the first reply it was given, later users and tools are the environment.
 * Every sampled message is trained on unless the file says otherwise.
 */
export function readMessages(value: unknown, complain: Complaint): Message[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw complain("has no messages, expected a list of at least one");
  }
  const items = value.map((item: unknown, index) => {
    if (!isFields(item)) throw complain(`has messages[${index}] that is no object`);
    return item;
  });
  const lastReply = items.findLastIndex((item) => item["role"] === "assistant");
  if (lastReply === -1) throw complain("has no assistant message, expected at least one");
  const firstReply = items.findIndex((item) => item["role"] === "assistant");
  return items.map((item, index) => {
    const role = ROLES[textField(item, ["role"]) ?? ""];
    if (role === undefined) {
      const got = JSON.stringify(item["role"]) ?? "nothing";
      throw complain(`has messages[${index}].role ${got}, expected system, user, assistant or tool`);
    }
    const origin = MessageOrigin.safeParse(item["origin"]).data ?? originOf(role, index < firstReply);
    return messageOf(item, { role, origin, isAnswer: index === lastReply });
  });
}

function originOf(role: Role, isOpening: boolean): MessageOrigin {
  if (role === "assistant") return "sampled";
  return isOpening || role === "system" ? "given" : "environment";
}

interface Place {
  readonly role: Role;
  readonly origin: MessageOrigin;
  readonly isAnswer: boolean;
}

function messageOf(item: Fields, { role, origin, isAnswer }: Place): Message {
  const shown = contentOf(item["content"]);
  const stated = textField(item, ["reasoning", "reasoning_content", "thinking"]);
  const parted = role === "assistant" && stated === null ? splitThought(shown) : null;
  const hasThought = parted !== null && parted.reasoning !== null;
  const train = typeof item["train"] === "boolean" ? item["train"] : origin === "sampled";
  const weight = item["weight"];
  return {
    role,
    origin,
    rawText: textField(item, ["rawText", "raw_text"]) ?? shown,
    rawExact: item["rawExact"] === true,
    reasoning: hasThought ? parted.reasoning : stated,
    content: hasThought ? parted.rest.trim() : shown,
    toolCalls: toolCallsOf(item["toolCalls"] ?? item["tool_calls"]),
    toolCallId: textField(item, ["toolCallId", "tool_call_id"]),
    train,
    weight: typeof weight === "number" && weight >= 0 ? weight : train ? 1 : 0,
    trainReason: textField(item, ["trainReason", "train_reason"]) ?? reasonOf(origin, isAnswer),
  };
}

function reasonOf(origin: MessageOrigin, isAnswer: boolean): string {
  if (origin === "given") return "prompt";
  if (origin !== "sampled") return origin;
  return isAnswer ? "answer" : "turn";
}

function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isFields(part) ? (textField(part, ["text"]) ?? "") : "")).join("");
}

function toolCallsOf(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isFields).map((call, index) => {
    const target = isFields(call["function"]) ? call["function"] : call;
    const given = target["argumentsRaw"] ?? target["arguments"];
    const argumentsRaw = typeof given === "string" ? given : JSON.stringify(given ?? {});
    return {
      id: textField(call, ["id"]) ?? `call_${index}`,
      name: textField(target, ["name"]) ?? "",
      argumentsRaw,
      arguments: parseArguments(argumentsRaw),
    };
  });
}

function parseArguments(raw: string): ToolCall["arguments"] {
  try {
    return ToolArguments.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
}
