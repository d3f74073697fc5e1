import type { Message } from "../core/trajectory.ts";
import { isTextCall } from "./call-parser.ts";
import { environmentMessage } from "./episode-messages.ts";
import { toolResponseText } from "./guardrails.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** What a call gave, as the agent is to read it. */
export interface CallResult {
  readonly callId: string;
  readonly text: string;
}

/**
 * The results of calls as the environment tells them: a tool's message for each that came through the server's
 * interface, and one user's message for those in the text, each between the tags of tool results. Nothing in
 * them closes or forges a tag.
 */
export function toolObservations(results: readonly CallResult[]): Message[] {
  const inText = results.filter(({ callId }) => isTextCall({ id: callId }));
  const native = results.filter(({ callId }) => !isTextCall({ id: callId }));
  const messages = native.map(({ callId, text }) => environmentMessage(escapeProtocolTags(text), callId));
  if (inText.length === 0) return messages;
  return [...messages, environmentMessage(inText.map(({ text }) => toolResponseText(text)).join("\n"))];
}
