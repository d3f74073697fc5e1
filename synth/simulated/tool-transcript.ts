import type { Json } from "../../core/key.ts";
import { readActions } from "../call-parser.ts";
import type { ChatText } from "./question-index.ts";

/** A call that an agent asked for, with what came back: a result, or why it was not made. */
export interface PastCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly result: string;
}

/** An episode of an agent with tools, as its transcript tells. */
export interface ToolTranscript {
  /** Replies so far. */
  readonly turn: number;
  /** Those that something came back for, refused ones too. */
  readonly calls: readonly PastCall[];
  /** Replies that are left, the next one among them; `null` where nobody said. */
  readonly turnsLeft: number | null;
}

const RESPONSE = /<tool_response>\n?([\s\S]*?)\n?<\/tool_response>/g;
const TURNS_LEFT = /^\[(\d+) repl(?:y|ies) left\b[^\]\n]*\]$/gm;

/** Reads calls in the text or through the server's interface, with the results that follow them in order. */
export function toolTranscript(transcript: readonly ChatText[]): ToolTranscript {
  const calls: PastCall[] = [];
  let asked: Omit<PastCall, "result">[] = [];
  let turn = 0;
  let told = "";
  for (const { role, content, toolCalls } of transcript) {
    if (role === "assistant") {
      turn += 1;
      asked = callsIn(content, toolCalls ?? []);
      continue;
    }
    told = content;
    for (const result of role === "tool" ? [content] : responsesIn(content)) {
      const call = asked.shift();
      if (call !== undefined) calls.push({ ...call, result });
    }
  }
  const left = [...told.matchAll(TURNS_LEFT)].at(-1)?.[1];
  return { turn, calls, turnsLeft: left === undefined ? null : Number(left) };
}

/** A call in the text. */
export function toolCallText(name: string, callArguments: Readonly<Record<string, Json>>): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: callArguments })}\n</tool_call>`;
}

function responsesIn(content: string): string[] {
  return [...content.matchAll(RESPONSE)].map(([, inner = ""]) => inner);
}

function callsIn(content: string, native: NonNullable<ChatText["toolCalls"]>): Omit<PastCall, "result">[] {
  const written = content.slice(Math.max(0, content.indexOf("<tool_call>")));
  const { calls } = readActions(written, [], []);
  const made = calls.flatMap(({ name, arguments: given }) =>
    given === null ? [] : [{ name, arguments: given }],
  );
  const sent = native.map((call) => ({
    name: call.name,
    arguments: (call.arguments ?? {}) as Record<string, Json>,
  }));
  return sent.length > 0 ? sent : made;
}
