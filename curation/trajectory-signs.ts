import type { Message, ToolCall, Trajectory } from "../core/trajectory.ts";

const CHARACTERS_PER_TOKEN = 4;

/**
 * Tokens of a trajectory after its prompt: those that the server counted for the replies, else one for four
 * characters; and one for four characters of every message of the environment or of a guardrail.
 */
export function trajectoryTokens({ messages, usage }: Trajectory): number {
  const sampled = messages.filter(({ origin }) => origin === "sampled");
  const shown = messages.filter(({ origin }) => origin === "environment" || origin === "injected");
  return (usage.completionTokens ?? tokensIn(sampled)) + tokensIn(shown);
}

function tokensIn(messages: readonly Message[]): number {
  return messages.reduce((sum, { rawText }) => sum + Math.ceil(rawText.length / CHARACTERS_PER_TOKEN), 0);
}

/** Calls that a tool answered, in order. */
export function answeredCallsOf({ messages }: Trajectory): ToolCall[] {
  return messages.flatMap(({ origin, toolCalls }, place) =>
    origin === "sampled" && messages[place + 1]?.origin === "environment" ? toolCalls : [],
  );
}

/** Whether a guardrail ended the rollout, or told the agent of a violation, or a call could not be read. */
export function breaksProtocol({ messages, stopReason }: Trajectory): boolean {
  return (
    stopReason === "guardrail" ||
    messages.some(({ origin }) => origin === "injected") ||
    messages.some(({ toolCalls }) => toolCalls.some((call) => call.arguments === null))
  );
}

/** Replies of the model. */
export function repliesOf({ messages }: Trajectory): Message[] {
  return messages.filter(({ origin }) => origin === "sampled");
}
