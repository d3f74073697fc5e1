import { Guardrails, type Violation } from "../core/guardrail.ts";
import type { EpisodeState, Reaction } from "../core/scaffold.ts";
import type { Message } from "../core/trajectory.ts";
import { injectedMessage } from "./episode-messages.ts";
import { answeredCalls } from "./guardrails.ts";
import { reminderText, turnsLeftText } from "./prompts/sql-trail.ts";
import { scanTags, type TagProblem, type TagScan } from "./tag-parser.ts";

/**
 * Guardrails of SQL-Trail, whose paper has none: without `checks` those that its protocol states. `several_actions` and
 * a `forged_result` beside an action count in training mode only: in test mode the first action is taken.
 */
export const SqlTrailGuardrails = Guardrails.extend({
  checks: Guardrails.shape.checks
    .unwrap()
    .default(["no_action", "malformed_call", "forged_result", "several_actions"]),
});

/** What a reply without an action does against the protocol. */
const VIOLATIONS: Readonly<Record<TagProblem, Violation>> = {
  no_tag: "no_action",
  unclosed_thought: "no_action",
  unclosed_action: "malformed_call",
  mismatched_tags: "malformed_call",
  empty_action: "malformed_call",
  forged_observation: "forged_result",
};

interface SqlTrailFault {
  readonly violation: Violation;
  /** What the agent is told in test mode; `null` for what is let pass there. */
  readonly text: string | null;
}

/**
 * What guardrails make of a reply with an action, or without one in training mode: the first fault that is checked stops
 * the rollout (training) or is told (test). `null` where the reply stands; on the last reply an answer is taken.
 */
export function guardSqlTrail(
  message: Message,
  { messages, turnsLeft }: EpisodeState,
  { mode, checks, masksEarlier, maxTrailingShare }: Guardrails,
): Reaction | null {
  const scan = scanTags(message.content);
  const faults = faultsOf(message, scan, { messages, maxTrailingShare });
  const fault = faults.find(
    ({ violation, text }) => checks.includes(violation) && (mode === "training" || text !== null),
  );
  if (fault === undefined) return null;
  if (mode === "training")
    return { kind: "stop", reason: "guardrail", detail: fault.violation, masksEarlier };
  if (scan.action?.tag === "solution" && turnsLeft === 0) return null;
  const text = `${fault.text ?? ""}\n${turnsLeftText(turnsLeft)}`;
  return { kind: "remind", messages: [injectedMessage(text, `guardrail_${fault.violation}`)] };
}

/** What an agent is told whose reply has no action. */
export function remindSqlTrail(problem: TagProblem | null, turnsLeft: number): Reaction {
  const reason = problem ?? "no_tag";
  return {
    kind: "remind",
    messages: [injectedMessage(reminderText(reason, turnsLeft), `reminder_${reason}`)],
  };
}

function faultsOf(
  { reasoning, rawText }: Message,
  { action, problem, isForged }: TagScan,
  {
    messages,
    maxTrailingShare,
  }: { readonly messages: readonly Message[]; readonly maxTrailingShare: number },
): SqlTrailFault[] {
  const forged: SqlTrailFault[] = isForged ? [{ violation: "forged_result", text: null }] : [];
  if (action === null) return [...forged, { violation: VIOLATIONS[problem ?? "no_tag"], text: null }];
  const faults = [...forged];
  if (scanTags(action.rest).action !== null) faults.push({ violation: "several_actions", text: null });
  if (reasoning === null || reasoning.trim() === "") {
    faults.push({
      violation: "empty_thought",
      text: "Your reply has no thoughts, so nothing of it was done. Begin with them, between <reasoning> and </reasoning>.",
    });
  }
  const isRepeated =
    action.tag === "sql" && answeredCalls(messages).some((call) => call.arguments?.["sql"] === action.sql);
  if (isRepeated) {
    faults.push({
      violation: "repeated_call",
      text: "You have run just this statement before, so it was not run again. Use what it returned, or run another one.",
    });
  }
  if (
    action.tag === "solution" &&
    action.rest.trim().length > maxTrailingShare * Math.max(1, rawText.length)
  ) {
    faults.push({
      violation: "trailing_text",
      text: "Your reply goes on too long after its solution, so it was not taken. Give it again, and end the reply with it.",
    });
  }
  return faults;
}
