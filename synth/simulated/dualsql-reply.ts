import { significantTokens } from "../../sql/lexer.ts";
import type { LinkedTable } from "../../core/trajectory.ts";
import { answerText } from "../answer-text.ts";
import { sameQuery } from "../same-query.ts";
import { type Attempt, breaksProtocol, type ReplyText } from "./attempt.ts";
import { linkedNames, nextDraft, planNamedIn, type Symptom } from "./drafting.ts";
import type { ChatText } from "./question-index.ts";
import { toolCallText, toolTranscript, type PastCall } from "./tool-transcript.ts";

/** What the prompt tells of the episode. */
export interface DualSqlEpisode {
  readonly agent: "linker" | "generator";
  /** What followed the question. */
  readonly transcript: readonly ChatText[];
  /** Names of the tools that there are. */
  readonly tools: ReadonlySet<string>;
}

const EXECUTE = "execute_sql";
/** The fifth reply of a linker and the ninth of a generator answer. */
const LAST_TURN = { linker: 4, generator: 8 } as const;
/** What guardrails say of calls that they did not make. */
const REFUSED = /nothing of it was done|none of them was done|was not called again|cannot be read/;
const UNTESTED = /"error":"You have not run [^"]*, so the answer was not taken/;

/**
 * The next reply of an episode of one of DualSQL's agents: a thought, a summary, and a call of a tool or the
 * answer in a block. The linker names what the gold reads, with a mistake where the attempt is wrong; the
 * generator's drafts come about as those of `sqlTrailReply` do, and it runs its query before it answers.
 * @paper DualSQL, the turns of its agents
 */
export function dualSqlReply(
  take: (draw: number | string) => Attempt,
  draw: number | string,
  episode: DualSqlEpisode,
): ReplyText {
  const plan = planNamedIn(episode.transcript) ?? take(draw).random("plan name").nextUint32().toString(36);
  const attempt = take(plan);
  const past = toolTranscript(episode.transcript);
  const calls = past.calls.filter(({ result }) => result === null || !REFUSED.test(result));
  const seen = {
    turn: past.turn,
    calls,
    isUntested: UNTESTED.test(episode.transcript.at(-1)?.content ?? ""),
  };
  const step =
    episode.agent === "linker" ? linkerStep(attempt, seen, episode) : generatorStep(attempt, seen, episode);
  const thought = seen.turn === 0 ? `[plan ${plan}] ${step.thought}` : step.thought;
  if (breaksProtocol(attempt, seen.turn)) return brokenTurn(attempt, seen.turn, { ...step, thought });
  return finite(turnText(thought, step));
}

interface Seen {
  readonly turn: number;
  /** Calls that were made. */
  readonly calls: readonly PastCall[];
  /** Whether the last answer was refused because it was not run. */
  readonly isUntested: boolean;
}

interface Step {
  readonly thought: string;
  readonly summary: string;
  /** A call or a block. */
  readonly action: string;
}

function linkerStep(attempt: Attempt, { turn, calls }: Seen, { tools }: DualSqlEpisode): Step {
  const links = linksOf(attempt);
  const look = turn === 0 && calls.length === 0 ? linkerLook(attempt, links, tools) : null;
  if (look !== null && turn < LAST_TURN.linker) {
    return {
      thought: "A look at the data will tell.",
      summary: "I look at what the table holds.",
      action: look,
    };
  }
  const shown = links.map(({ table }) => table).join(", ");
  const named = Object.fromEntries(links.map(({ table, columns }) => [table, columns] as const));
  return {
    thought: `What is asked needs ${shown}.`,
    summary: "These tables and columns are needed.",
    action: `\`\`\`json\n${JSON.stringify(named)}\n\`\`\``,
  };
}

/** One look at a table, in two of three episodes. */
function linkerLook(
  attempt: Attempt,
  links: readonly LinkedTable[],
  tools: ReadonlySet<string>,
): string | null {
  const random = attempt.random("look");
  const table = random.pick(links)?.table;
  const tool = random.pick(["database_profiler", "full_text_search", ""]) ?? "";
  if (table === undefined || !tools.has(tool)) return null;
  if (tool === "database_profiler") return toolCallText(tool, { table });
  const [, value] = /'([^']+)'/.exec(attempt.gold) ?? [];
  return toolCallText(tool, { query: value ?? table });
}

/** What the gold reads; where the attempt is wrong, a table or a column less or more. */
function linksOf(attempt: Attempt): LinkedTable[] {
  const links = linkedNames(attempt.gold, attempt);
  if (links.length === 0) return [{ table: firstTable(attempt.gold), columns: [] }];
  if (attempt.right) return links;
  const random = attempt.random("wrong links");
  const dropped = random.pick(links.filter(({ columns }) => columns.length > 0));
  if (links.length > 1 && random.integer(3) === 0) {
    const lost = random.pick(links);
    return links.filter((link) => link !== lost);
  }
  if (dropped !== undefined && random.integer(2) === 0) {
    const lost = random.pick(dropped.columns);
    const columns = dropped.columns.filter((column) => column !== lost);
    return links.map((link) => (link === dropped ? { table: link.table, columns } : link));
  }
  const others = attempt.schema.tables.filter(({ name }) => links.every(({ table }) => table !== name));
  const extra = random.pick(others);
  if (extra !== undefined)
    return [...links, { table: extra.name, columns: extra.columns.map(({ name }) => name) }];
  return links.map(({ table }) => ({ table, columns: [] }));
}

function firstTable(sql: string): string {
  const tokens = significantTokens(sql);
  const place = tokens.findIndex(({ text }) => text.toLowerCase() === "from");
  return (tokens[place + 1]?.text ?? "unknown").replace(/^["`[]|["`\]]$/g, "");
}

function generatorStep(attempt: Attempt, seen: Seen, { tools, transcript }: DualSqlEpisode): Step {
  const executed = seen.calls.filter(({ name }) => name === EXECUTE);
  const tried = executed.flatMap(({ arguments: { sql } }) => (typeof sql === "string" ? [sql] : []));
  const isLast = seen.turn >= LAST_TURN.generator || !tools.has(EXECUTE);
  const symptom = symptomOf(executed.at(-1)?.result ?? null);
  const refused = seen.isUntested ? lastBlock(transcript) : null;
  if (refused !== null) return runStep("I have not run it yet.", refused);
  const { kind, sql, reasoning } = nextDraft(attempt, { turn: seen.turn, tried, symptom, isLast }, true);
  const isTried = tried.some((other) => sameQuery(other, sql));
  if (kind === "run" || (!isTried && !isLast)) return runStep(reasoning, sql);
  return { thought: reasoning, summary: "This query answers the question.", action: answerText(sql) };
}

function runStep(thought: string, sql: string): Step {
  return {
    thought,
    summary: "I run this query and look at its result.",
    action: toolCallText(EXECUTE, { sql }),
  };
}

/** The query of the last answer. */
function lastBlock(transcript: readonly ChatText[]): string | null {
  const reply = transcript.findLast(({ role }) => role === "assistant")?.content ?? "";
  return /`{3,}sql\n([\s\S]*?)\n`{3,}/.exec(reply)?.[1] ?? null;
}

function symptomOf(result: string | null): Symptom {
  if (result === null) return "none";
  if (result.startsWith('{"error"')) return "error";
  return /"rows":\s*\[\s*\]/.test(result) ? "empty" : "rows";
}

function turnText(thought: string, { summary, action }: Pick<Step, "summary" | "action">): string {
  return `<think>\n${thought}\n</think>\n\n${summary}\n\n${action}`;
}

/** Half a call or block, a result of its own making, two actions, no thought, no action, or thoughts without end. */
function brokenTurn(attempt: Attempt, turn: number, step: Step): ReplyText {
  const { thought, summary, action } = step;
  const whole = turnText(thought, step);
  switch (attempt.random("break kind", turn).integer(6)) {
    case 0:
      return finite(whole.slice(0, whole.length - Math.ceil(action.length / 2)));
    case 1:
      return finite(`${whole}\n<tool_response>\n{"rows":[]}\n</tool_response>`);
    case 2:
      return finite(`${whole}\n\n${action}`);
    case 3:
      return finite(`${summary}\n\n${action}`);
    case 4:
      return finite(`<think>\n${thought}\n</think>\n\n${summary}`);
    default:
      return { text: `<think>\n${thought} Or is it meant otherwise? `, isEndless: true };
  }
}

function finite(text: string): ReplyText {
  return { text, isEndless: false };
}
