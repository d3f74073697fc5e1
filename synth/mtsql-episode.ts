import type { Guardrails } from "../core/guardrail.ts";
import type { EpisodeState, Reaction } from "../core/scaffold.ts";
import type { Message } from "../core/trajectory.ts";
import {
  actionsOf,
  callFaults,
  countFaults,
  forgeryFaults,
  guard,
  thoughtFaults,
  toolIdIn,
  trailingFaults,
  type Fault,
  type Telling,
} from "./guardrails.ts";
import { finalSql, isBlank, readMtsql, type MtsqlReply } from "./mtsql-reply.ts";
import { MTSQL_START, takeMove, type MtsqlProgress } from "./mtsql-transitions.ts";
import { mtsqlForm, mtsqlTurnsLeftText, refusalText } from "./prompts/mtsql-r1.ts";
import { sameQuery } from "./same-query.ts";
import { EXEC_SQL, MEMORY_RETRIEVE } from "./tool-descriptions.ts";

const TOOLS = [EXEC_SQL, MEMORY_RETRIEVE];
const toolIdOf = toolIdIn(TOOLS);

/** The tools as a model is told of them. */
export const MTSQL_SCHEMAS = TOOLS.map(({ schema }) => schema);

/** What decides how a reply is taken. */
export interface MtsqlRules {
  readonly calls: "text" | "native";
  readonly guardrails: Guardrails;
}

/** Where an episode stands after the replies that were accepted. */
export interface MtsqlStanding {
  readonly progress: MtsqlProgress;
  /** The query that was run last; `null` before the first. */
  readonly executed: string | null;
}

/**
 * What a reply means: a call, or the query that passed its checks. Its steps must follow the transition rule
 * from where the accepted replies before it leave the episode; a refused reply takes no step.
 * @paper MTSQL-R1, equation 1
 */
export function reactToMtsql(message: Message, state: EpisodeState, rules: MtsqlRules): Reaction {
  const { turnsLeft, messages, opening } = state;
  const hasMemory = opening.history.length > 0;
  const reply = readMtsql(message, MTSQL_SCHEMAS);
  const standing = standingAfter(messages, hasMemory);
  const faults = faultsOf({ message, reply, standing }, { messages, hasMemory }, rules);
  const [call] = reply.calls;
  const answer = reply.answers.find((block) => finalSql(block) !== "");
  const telling: Telling = {
    toolIdOf,
    result: (text) => `${text}\n${mtsqlTurnsLeftText(turnsLeft)}`,
  };
  const guarded = { calls: reply.calls, answers: answer !== undefined, turnsLeft };
  const reaction = guard(faults, guarded, rules.guardrails, telling);
  if (reaction !== null) return reaction;
  const isCallFirst = call !== undefined && (answer === undefined || (call.start ?? -1) < answer.start);
  if (answer !== undefined && (!isCallFirst || turnsLeft === 0)) {
    return { kind: "answer", sql: finalSql(answer) };
  }
  return { kind: "act", actions: actionsOf(call === undefined ? [] : [call], toolIdOf) };
}

/**
 * Where an episode stands: replies are accepted whose call was made. One that the rule does not allow counts
 * as well where transitions are not checked: the last step that it states is where the episode goes on.
 */
export function standingAfter(messages: readonly Message[], hasMemory: boolean): MtsqlStanding {
  let standing: MtsqlStanding = { progress: MTSQL_START, executed: null };
  for (const [place, message] of messages.entries()) {
    if (message.origin !== "sampled" || messages[place + 1]?.origin !== "environment") continue;
    const reply = readMtsql(message, MTSQL_SCHEMAS);
    if (reply.calls.some((call) => call.problem !== null || isBlank(call))) continue;
    const { progress, refusal } = takeMove(standing.progress, reply, hasMemory);
    const last = reply.steps.at(-1) ?? standing.progress.last;
    standing = {
      progress: refusal === null ? progress : { last, isMemoryShown: reply.consultsMemory },
      executed: executedBy(reply) ?? standing.executed,
    };
  }
  return standing;
}

function executedBy({ calls }: MtsqlReply): string | null {
  const code = calls.find(({ name }) => name === EXEC_SQL.schema.name)?.arguments?.["code"];
  return typeof code === "string" ? code : null;
}

interface Judged {
  readonly message: Message;
  readonly reply: MtsqlReply;
  readonly standing: MtsqlStanding;
}

/** In the order of their weight. */
function faultsOf(
  { message, reply, standing }: Judged,
  { messages, hasMemory }: { readonly messages: readonly Message[]; readonly hasMemory: boolean },
  { guardrails, calls: form }: MtsqlRules,
): Fault[] {
  const { calls, answers, isForged } = reply;
  const [answer] = answers;
  const block = answer === undefined ? undefined : { ...answer, language: "sql" };
  const { content: visible, rawText } = message;
  return [
    ...forgeryFaults(isForged),
    ...countFaults(calls.length + answers.length, mtsqlForm(form)),
    ...thoughtFaults(message.reasoning, "in think tags"),
    ...callFaults(calls, messages).filter(
      ({ violation }) => violation !== "repeated_call" || !isRecall(reply),
    ),
    ...blankFaults(reply),
    ...(answer === undefined || finalSql(answer) !== "" ? [] : [emptyAnswer(answer.isClosed)]),
    ...verdictFaults(reply),
    ...transitionFaults(reply, standing, hasMemory),
    ...(answer === undefined ? [] : commitFaults(finalSql(answer), standing)),
    ...trailingFaults(block, { visible, rawText }, guardrails),
  ];
}

/** The transition rule says when the memory is consulted: for a query that was run twice it may be twice. */
function isRecall({ calls }: MtsqlReply): boolean {
  return calls.every(({ name }) => name === MEMORY_RETRIEVE.schema.name);
}

function blankFaults({ calls }: MtsqlReply): Fault[] {
  const blank = calls.find((call) => call.problem === null && isBlank(call));
  if (blank === undefined) return [];
  const text = `The argument code of ${blank.name} is empty, expected a query.`;
  return [{ violation: "wrong_arguments", text, isFatal: true }];
}

function emptyAnswer(isClosed: boolean): Fault {
  const text = isClosed
    ? "Your final query is empty."
    : "Your final query does not end: its closing tag is missing.";
  return { violation: "malformed_answer", text, isFatal: true };
}

function verdictFaults({ badVerdicts }: MtsqlReply): Fault[] {
  const [verdict] = badVerdicts;
  if (verdict === undefined) return [];
  const text = `A check says ${JSON.stringify(verdict)}, so nothing of your reply was done. It has to say pass or fail between its tags, and nothing else.`;
  return [{ violation: "wrong_transition", text, isFatal: false }];
}

function transitionFaults(reply: MtsqlReply, { progress }: MtsqlStanding, hasMemory: boolean): Fault[] {
  const { refusal } = takeMove(progress, reply, hasMemory);
  if (refusal === null) return [];
  return [{ violation: "wrong_transition", text: refusalText(refusal), isFatal: false }];
}

/** The fault of a final query that is not the one that was run and checked. */
function commitFaults(sql: string, { executed }: MtsqlStanding): Fault[] {
  if (sql === "" || (executed !== null && sameQuery(sql, executed))) return [];
  const text =
    "Your final query is not the one that was run and checked, so it was not taken. Repeat that query unchanged, or run this one first.";
  return [{ violation: "untested_answer", text, isFatal: false }];
}
