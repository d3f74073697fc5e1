import { type Attempt, breaksProtocol, type ReplyText } from "./attempt.ts";
import { linkedNames, nextDraft, planNamedIn, symptomIn, type DraftStep, type Symptom } from "./drafting.ts";
import type { ChatText } from "./question-index.ts";
import { toolCallText, toolTranscript, type PastCall } from "./tool-transcript.ts";

/** The eighth reply answers. */
const LAST_TURN = 7;
const QUERY = "sqlite_query";
/** How the result of a query ends that was run. */
const RAN = /\n\[(?:no )?fault[^\n]*(?:\n\[[^\n]*)?$/;
/** How often a faulty draft is looked into before the next one. */
const REPAIR_CHANCE = 0.4;

/**
 * The next reply of an episode in ReToolSQL's protocol, `transcript` being what followed the question: a
 * scratch pad, then a query to run, after a fault sometimes a peek or a search, or the schema that is used
 * with the final query. Drafts come about as those of `sqlTrailReply` do.
 * @paper ReToolSQL, turn protocol
 */
export function retoolReply(
  take: (draw: number | string) => Attempt,
  draw: number | string,
  transcript: readonly ChatText[],
): ReplyText {
  const plan = planNamedIn(transcript) ?? take(draw).random("plan name").nextUint32().toString(36);
  const attempt = take(plan);
  const { turn, calls, turnsLeft } = toolTranscript(transcript);
  const queries = calls.filter(({ name, result }) => name === QUERY && RAN.test(result));
  const symptom = symptomOf(queries.at(-1));
  const isLast = turn >= LAST_TURN || turnsLeft === 1;
  const step = nextDraft(attempt, { turn, tried: queries.flatMap(sqlOf), symptom, isLast }, true);
  const look = step.kind === "run" && !isLast ? lookFor(attempt, symptom, { turn, calls }) : null;
  const reasoning = turn === 0 ? `[plan ${plan}] ${step.reasoning}` : step.reasoning;
  if (breaksProtocol(attempt, turn)) return brokenTurn(attempt, turn, reasoning, step);
  if (look !== null)
    return finite(`${padText("The result has a fault: I look at the values first.")}\n${look}`);
  return finite(`${padText(reasoning)}\n${actionText(attempt, step)}`);
}

function actionText(attempt: Attempt, { kind, sql }: DraftStep): string {
  if (kind === "run") return toolCallText(QUERY, { sql });
  const links = linkedNames(sql, attempt).map(({ table, columns }) => [table, columns] as const);
  return `<schema>${JSON.stringify(Object.fromEntries(links))}</schema>\n<final_answer>\n${sql}\n</final_answer>`;
}

/** A peek at a column or a search for a value of the gold, once after a fault, none a second time. */
function lookFor(
  attempt: Attempt,
  symptom: Symptom,
  { turn, calls }: { readonly turn: number; readonly calls: readonly PastCall[] },
): string | null {
  const random = attempt.random("look", turn);
  if (calls.at(-1)?.name !== QUERY || (symptom !== "error" && symptom !== "empty")) return null;
  if (random.next() >= REPAIR_CHANCE) return null;
  const [, value] = /'([^']+)'/.exec(attempt.gold) ?? [];
  const table = random.pick(linkedNames(attempt.gold, attempt).filter(({ columns }) => columns.length > 0));
  const column = random.pick(table?.columns ?? []);
  const looks = [
    ...(value === undefined ? [] : [toolCallText("bm25_search_sqlite", { query: value })]),
    ...(table === undefined || column === undefined
      ? []
      : [toolCallText("sqlite_peek", { table: table.table, column })]),
  ];
  const made = new Set(calls.map(({ name, arguments: given }) => toolCallText(name, given)));
  return random.pick(looks.filter((look) => !made.has(look))) ?? null;
}

function symptomOf(call: PastCall | undefined): Symptom {
  return call === undefined ? "none" : symptomIn(call.result.replace(RAN, ""));
}

function sqlOf({ arguments: given }: PastCall): string[] {
  return typeof given["sql"] === "string" ? [given["sql"]] : [];
}

function padText(text: string): string {
  return `<scratch_pad>\n${text}\n</scratch_pad>`;
}

function brokenTurn(attempt: Attempt, turn: number, reasoning: string, step: DraftStep): ReplyText {
  const call = toolCallText(QUERY, { sql: step.sql });
  switch (attempt.random("break kind", turn).integer(6)) {
    case 0:
      return finite(`${padText(reasoning)}\n${call.slice(0, call.lastIndexOf('"'))}`);
    case 1:
      return finite(`${padText(reasoning)}\n${call}\n<tool_response>\n(as expected)\n</tool_response>`);
    case 2:
      return finite(`${padText(reasoning)}\n${call}\n${actionText(attempt, { ...step, kind: "answer" })}`);
    case 3:
      return finite(call);
    case 4:
      return finite(`${padText(reasoning)}\n<final_answer>\n${step.sql}\n</final_answer>`);
    default:
      return { text: `<scratch_pad>\n${reasoning} Or is it meant otherwise? `, isEndless: true };
  }
}

function finite(text: string): ReplyText {
  return { text, isEndless: false };
}
