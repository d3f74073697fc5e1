import { type Attempt, breaksProtocol, type ReplyText } from "./attempt.ts";
import { nextDraft, planNamedIn, symptomIn, type DraftStep, type Symptom } from "./drafting.ts";
import type { ChatText } from "./question-index.ts";
import { toolCallText, toolTranscript, type PastCall } from "./tool-transcript.ts";

const EXECUTE = "exec_sql";
const RECALL = "memory_retrieve";
/** How results of the tools begin, told apart from why a call was not made. */
const OUTCOME = /^Outcome: [^\n]*\n/;
const RECALLED = /^(?:\[|There is no earlier turn)/;

/** Where an episode in MTSQL-R1's protocol stands. */
interface Progress {
  readonly last: PastCall | undefined;
  /** Queries that were run, the oldest first. */
  readonly tried: readonly string[];
  /** Whether a further draft can still be checked and committed. */
  readonly hasRoom: boolean;
}

/**
 * The next reply of an episode in MTSQL-R1's protocol, `transcript` being what followed the question: a query
 * to run, its checks, and the query that passed them. A draft that is to change fails the check of its
 * execution or, where there is an earlier question, now and then the one against the memory. An attempt that
 * ends wrong lets a wrong query pass. Drafts come about as those of `sqlTrailReply` do, none of them explores.
 * @paper MTSQL-R1, the action space and equation 1
 */
export function mtsqlReply(
  take: (draw: number | string) => Attempt,
  draw: number | string,
  { transcript, hasMemory }: { readonly transcript: readonly ChatText[]; readonly hasMemory: boolean },
): ReplyText {
  const plan = planNamedIn(transcript) ?? take(draw).random("plan name").nextUint32().toString(36);
  const attempt = take(plan);
  const { turn, calls, turnsLeft } = toolTranscript(transcript);
  const made = calls.filter(({ name, result }) => (name === EXECUTE ? OUTCOME : RECALLED).test(result));
  const executed = made.filter(({ name }) => name === EXECUTE);
  const tried = executed.flatMap(codeOf);
  const hasRoom = turnsLeft === null || turnsLeft >= (hasMemory ? 3 : 2);
  const symptom = symptomOf(executed.at(-1));
  const step = nextDraft(attempt, { turn, tried, symptom, isLast: !hasRoom && tried.length > 0 }, false);
  const thought = thoughtText(turn === 0 ? `[plan ${plan}] ${step.reasoning}` : step.reasoning);
  if (breaksProtocol(attempt, turn)) return brokenTurn(attempt, turn, thought, step);
  const action = actionText(attempt, step, { progress: { last: made.at(-1), tried, hasRoom }, hasMemory });
  return finite(`${thought}\n${action}`);
}

function actionText(
  attempt: Attempt,
  step: DraftStep,
  { progress, hasMemory }: { readonly progress: Progress; readonly hasMemory: boolean },
): string {
  const { last, tried } = progress;
  const run = toolCallText(EXECUTE, { code: step.sql });
  const draft = tried.at(-1);
  if (draft === undefined) return run;
  const answer = `<final_answer>\n${draft}\n</final_answer>`;
  if (last?.name === RECALL) {
    return step.kind === "run"
      ? `${checkText("memory", "fail")}\n${run}`
      : `${checkText("memory", "pass")}\n${answer}`;
  }
  const recall = toolCallText(RECALL, { code: draft });
  if (step.kind === "run" && !(hasMemory && failsMemory(attempt, tried.length))) {
    return `${checkText("execution", "fail")}\n${run}`;
  }
  return `${checkText("execution", "pass")}\n${hasMemory ? recall : answer}`;
}

/** Whether the fault of the first draft shows only against the memory. */
function failsMemory(attempt: Attempt, drafts: number): boolean {
  return drafts === 1 && attempt.random("memory").integer(3) === 0;
}

function symptomOf(call: PastCall | undefined): Symptom {
  if (call === undefined) return "none";
  const lines = call.result.replace(OUTCOME, "").split("\n");
  return symptomIn(lines.filter((line) => !/^\[\d+ repl/.test(line)).join("\n"));
}

function codeOf({ arguments: given }: PastCall): string[] {
  return typeof given["code"] === "string" ? [given["code"]] : [];
}

function checkText(check: "execution" | "memory", verdict: "pass" | "fail"): string {
  return `<${check}_check>${verdict}</${check}_check>`;
}

function thoughtText(text: string): string {
  return `<think>\n${text}\n</think>`;
}

function brokenTurn(attempt: Attempt, turn: number, thought: string, { sql }: DraftStep): ReplyText {
  const run = toolCallText(EXECUTE, { code: sql });
  switch (attempt.random("break kind", turn).integer(5)) {
    case 0:
      return finite(`${thought}\n<final_answer>\n${sql}\n</final_answer>`);
    case 1:
      return finite(`${thought}\n${run.slice(0, run.lastIndexOf('"'))}`);
    case 2:
      return finite(`${thought}\n${run}\n<tool_response>\nOutcome: result\n</tool_response>`);
    case 3:
      return finite(`${thought}\n${checkText("execution", "pass")}`);
    default:
      return { text: `${thought.replace("</think>", "")}Or is it meant otherwise? `, isEndless: true };
  }
}

function finite(text: string): ReplyText {
  return { text, isEndless: false };
}
