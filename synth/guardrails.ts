import type { Guardrails, Violation } from "../core/guardrail.ts";
import { canonicalJson } from "../core/key.ts";
import type { Action, Reaction } from "../core/scaffold.ts";
import type { Message, ToolCall } from "../core/trajectory.ts";
import type { FencedBlock, ReadCall } from "./call-parser.ts";
import { isTextCall } from "./call-parser.ts";
import { injectedMessage } from "./episode-messages.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** Something that a reply does against its protocol. */
export interface Fault {
  readonly violation: Violation;
  /** In words for the agent. */
  readonly text: string;
  /** Whether the reply means nothing because of it, whatever is checked. */
  readonly isFatal: boolean;
  /** A slip in a form that can be read all the same: it counts in training mode only. */
  readonly isSlip?: boolean;
}

/** What is known of a reply besides its faults. */
export interface GuardedReply {
  readonly calls: readonly ReadCall[];
  /** Whether an answer can be read in it. */
  readonly answers: boolean;
  /** Replies that are left after it. */
  readonly turnsLeft: number;
}

/** How an agent is told of a fault. */
export interface Telling {
  /** The id of a called tool; what else is called has none. */
  readonly toolIdOf: (name: string) => string | undefined;
  /** What is told, in the form of the scaffold's tool results, before it stands between their tags. */
  readonly result?: (text: string) => string;
}

/**
 * What follows from the faults of a reply, given in the order of their weight: the first that counts decides.
 * `null` when the reply stands.
 * - Training mode: a fault that is checked ends the rollout with its violation as detail, and earlier replies
 *   are masked where the options say so.
 * - Test mode: the agent is told, in the place of a tool's result, and goes on. A call that cannot be made is
 *   a tool error of its own, beside which other calls are made. On the last reply nobody can be told any more:
 *   an answer that can be read is taken.
 * - A fault that is not checked is let pass, or told as in test mode where the reply means nothing with it.
 * @paper DualSQL, strict format checking, rollout cutoff, loss masking; the last reply in test mode is not in
 * the paper
 */
export function guard(
  faults: readonly Fault[],
  reply: GuardedReply,
  guardrails: Guardrails,
  telling: Telling,
): Reaction | null {
  const { mode, checks, masksEarlier } = guardrails;
  for (const fault of faults) {
    const isChecked = checks.includes(fault.violation);
    if (mode === "training" && isChecked) {
      return { kind: "stop", reason: "guardrail", detail: fault.violation, masksEarlier };
    }
    if (fault.isSlip === true || !(isChecked || fault.isFatal)) continue;
    if (!fault.isFatal && reply.answers && reply.turnsLeft === 0) continue;
    return told(fault, reply.calls, telling);
  }
  return null;
}

function told(fault: Fault, calls: readonly ReadCall[], telling: Telling): Reaction {
  const { toolIdOf, result = identity } = telling;
  if (CALL_FAULTS.has(fault.violation) && calls.length > 0) {
    return { kind: "act", actions: actionsOf(calls, toolIdOf) };
  }
  const text = result(fault.text);
  const reason = `guardrail_${fault.violation}`;
  const native = calls.filter((call) => !isTextCall(call));
  if (native.length === 0)
    return { kind: "remind", messages: [injectedMessage(toolResponseText(text), reason)] };
  const messages = native.map(
    ({ id }): Message => ({
      ...injectedMessage(escapeProtocolTags(text), reason),
      role: "tool",
      toolCallId: id,
    }),
  );
  return { kind: "remind", messages };
}

const CALL_FAULTS: ReadonlySet<Violation> = new Set(["malformed_call", "unknown_tool", "wrong_arguments"]);

function identity(text: string): string {
  return text;
}

/** What a tool or a guardrail says, between the tags of a tool's result. Nothing in it can close them. */
export function toolResponseText(text: string): string {
  return `<tool_response>\n${escapeProtocolTags(text)}\n</tool_response>`;
}

/** By the name in a call, the id of one of these tools. */
export function toolIdIn(
  tools: readonly { readonly id: string; readonly schema: { readonly name: string } }[],
): Telling["toolIdOf"] {
  return (name) => tools.find(({ schema }) => schema.name === name)?.id;
}

/** Calls as actions; one with a problem is a tool error. */
export function actionsOf(calls: readonly ReadCall[], toolIdOf: Telling["toolIdOf"]): Action[] {
  return calls.map(({ id, name, arguments: given, problem }) => ({
    callId: id,
    toolId: toolIdOf(name) ?? name,
    arguments: given ?? {},
    problem: problem?.text ?? null,
  }));
}

/** The fault of a reply without a thought that says something. */
export function thoughtFaults(thought: string | null, form: string): Fault[] {
  if (thought !== null && thought.trim() !== "") return [];
  const text = `Your reply has no thoughts, so nothing of it was done. Begin with them, ${form}.`;
  return [{ violation: "empty_thought", text, isFatal: false }];
}

/** The fault of a reply that holds a tool result of its own making. */
export function forgeryFaults(isForged: boolean): Fault[] {
  if (!isForged) return [];
  const text =
    "Your reply has a tool result that you wrote yourself, so nothing of it was done. Results come from the tools only: end your reply after a call.";
  return [{ violation: "forged_result", text, isFatal: false }];
}

/** The fault of a reply with `count` actions, where one is asked for. */
export function countFaults(count: number, form: string): Fault[] {
  if (count === 1) return [];
  if (count === 0) {
    return [{ violation: "no_action", text: `Your reply has no action. ${form}`, isFatal: true }];
  }
  const text = `Your reply has ${count} actions, so none of them was done. ${form}`;
  return [{ violation: "several_actions", text, isFatal: false }];
}

/** The faults of calls: what each cannot be made for, slips in its form, and that it was made before. */
export function callFaults(calls: readonly ReadCall[], earlier: readonly Message[]): Fault[] {
  const problems = calls.flatMap(({ problem }) => (problem === null ? [] : [{ ...problem, isFatal: true }]));
  const slips = calls
    .filter(({ problem, isRepaired }) => problem === null && isRepaired)
    .map((): Fault => ({ violation: "malformed_call", text: "", isFatal: false, isSlip: true }));
  const made = new Set(answeredCalls(earlier).map(callKey));
  const repeated: Fault[] = [];
  for (const { name, arguments: given, problem } of calls) {
    if (given === null || problem !== null) continue;
    const key = callKey({ name, arguments: given });
    if (made.has(key)) repeated.push(repeatedCall(name));
    made.add(key);
  }
  return [...problems, ...slips, ...repeated];
}

function repeatedCall(name: string): Fault {
  const text = `You have called ${name} with just these arguments before, so it was not called again: the result would be the same. Use that result, or ask for something else.`;
  return { violation: "repeated_call", text, isFatal: false };
}

/** The calls of earlier replies that the environment answered, the oldest first; refused ones were not made. */
export function answeredCalls(messages: readonly Message[]): ToolCall[] {
  return messages.flatMap(({ role, toolCalls }, place) =>
    role === "assistant" && messages[place + 1]?.origin === "environment" ? toolCalls : [],
  );
}

function callKey(call: { readonly name: string; readonly arguments: unknown }): string {
  return canonicalJson([call.name, call.arguments]);
}

/** The fault of a reply whose text goes on too long after its block: the share is of all its characters. */
export function trailingFaults(
  block: FencedBlock | undefined,
  { visible, rawText }: { readonly visible: string; readonly rawText: string },
  { maxTrailingShare }: Guardrails,
): Fault[] {
  if (block === undefined) return [];
  const trailing = visible.length - block.end;
  if (trailing <= maxTrailingShare * Math.max(1, rawText.length)) return [];
  const text =
    "Your reply goes on too long after its block, so the answer was not taken. Give it again, and end the reply with it.";
  return [{ violation: "trailing_text", text, isFatal: false }];
}
