import { z } from "zod";
import { Guardrails } from "../core/guardrail.ts";
import type { ModelReply, ToolSchema } from "../core/model.ts";
import type { Action, EpisodeState, Opening, Reaction } from "../core/scaffold.ts";
import type { ToolResult } from "../core/tool.ts";
import type { Message } from "../core/trajectory.ts";
import { argumentProblem } from "./argument-check.ts";
import { keptCalls, partThought, readActions, type FencedBlock } from "./call-parser.ts";
import { sampledMessage } from "./episode-messages.ts";
import {
  actionsOf,
  answeredCalls,
  callFaults,
  countFaults,
  forgeryFaults,
  guard,
  thoughtFaults,
  toolIdIn,
  trailingFaults,
  type Fault,
} from "./guardrails.ts";
import { jsonText } from "./json-text.ts";
import { readLinkedAnswer } from "./linked-answer.ts";
import { dualSqlForm, dualSqlPrompt, type DualSqlAgent } from "./prompts/dualsql.ts";
import { sameQuery } from "./same-query.ts";
import { DATABASE_PROFILER, EXECUTE_SQL, FULL_TEXT_SEARCH } from "./tool-descriptions.ts";
import { toolObservations } from "./tool-observations.ts";

const TOOLS = [EXECUTE_SQL, FULL_TEXT_SEARCH, DATABASE_PROFILER] as const;
const toolIdOf = toolIdIn(TOOLS);
const TOOL_IDS = ["execute-sql-json", "full-text-search", "database-profiler"] as const;

/** Options of both agents of DualSQL, for up to `turns` replies. */
export function dualSqlOptions(turns: number) {
  return z.strictObject({
    /** Whether tools are called by a tag in the text or through the server's interface. */
    calls: z.enum(["text", "native"]).default("text"),
    /** Whether earlier turns of a dialogue come with SQL, and whose. */
    history: z.enum(["questions", "gold", "predicted"]).default("questions"),
    maxTurns: z.int().positive().default(turns),
    /** The tools that the agent has. */
    tools: z.array(z.enum(TOOL_IDS)).default([...TOOL_IDS]),
    /** Rows of a result that is no description of the schema. */
    maxRows: z.int().positive().default(10),
    maxCellCharacters: z.int().positive().default(150),
    /** Distinct values that a search gives of a column. */
    maxValuesPerColumn: z.int().positive().default(5),
    /** CPU time of one statement, milliseconds. */
    cpuMs: z.int().positive().default(30_000),
    guardrails: Guardrails.prefault({}),
  });
}

/** {@link dualSqlOptions} of the generator. */
export function generatorOptions(turns: number) {
  return dualSqlOptions(turns).extend({
    /** Which statement has to be run before the answer: the answer itself, any, or none. */
    mustTest: z.enum(["answer", "any", "nothing"]).default("answer"),
  });
}

export type DualSqlOptions = z.infer<ReturnType<typeof dualSqlOptions>> & {
  readonly mustTest?: "answer" | "any" | "nothing";
};

/** The tools of an agent with their options, always in one order. */
export function dualSqlTools(options: DualSqlOptions) {
  const { maxRows, maxCellCharacters, maxValuesPerColumn, cpuMs } = options;
  const given = {
    "execute-sql-json": { maxRows, maxCellCharacters, cpuMs },
    "full-text-search": { maxValuesPerColumn },
    "database-profiler": {},
  };
  return TOOL_IDS.filter((id) => options.tools.includes(id)).map((id) => ({ id, options: given[id] }));
}

function schemasOf({ tools }: DualSqlOptions): readonly ToolSchema[] {
  return TOOLS.filter(({ id }) => tools.some((given) => given === id)).map(({ schema }) => schema);
}

/** Whether a query has to be run first; never where there is nothing to run it with. */
function testsFirst({ mustTest = "nothing", tools }: DualSqlOptions): boolean {
  return mustTest !== "nothing" && tools.includes("execute-sql-json");
}

/** The messages that open an agent's episode. */
export function openDualSql(agent: DualSqlAgent, opening: Opening, options: DualSqlOptions): Message[] {
  const { calls, maxTurns } = options;
  const rules = { calls, maxTurns, mustTest: testsFirst(options) };
  return dualSqlPrompt(agent, opening, { rules, tools: schemasOf(options) });
}

/** A reply as the message that stays. Calls in the text stay in the text. */
export function keepDualSqlReply(reply: ModelReply, options: DualSqlOptions): Message {
  const { thought, visible } = partThought(reply.content, reply.reasoning);
  const content = visible.trim();
  const native = options.calls === "native" ? reply.toolCalls : [];
  const { calls } = readActions(content, native, schemasOf(options));
  return sampledMessage(reply, { reasoning: thought, content, toolCalls: keptCalls(calls), restored: "" });
}

/**
 * What a reply means: one call of a tool, or an agent's answer in one block at the end of its reply.
 * @paper DualSQL, strict format checking
 */
export function reactToDualSql(
  agent: DualSqlAgent,
  message: Message,
  state: EpisodeState,
  options: DualSqlOptions,
): Reaction {
  const { content: visible, rawText, toolCalls, reasoning } = message;
  const { guardrails } = options;
  const { calls, blocks, isForged } = readActions(visible, toolCalls, schemasOf(options));
  const block = calls.length === 0 ? blocks.at(-1) : undefined;
  const answer = block === undefined ? null : readAnswer(agent, block, { state, options });
  const form = dualSqlForm(agent);
  const faults = [
    ...forgeryFaults(isForged),
    ...countFaults(calls.length + blocks.length, form),
    ...callFaults(calls, state.messages),
    ...(answer?.faults ?? []),
    ...trailingFaults(block, { visible, rawText }, guardrails),
    ...thoughtFaults(reasoning, "between <think> and </think>"),
  ];
  const reply = { calls, answers: answer?.reaction != null, turnsLeft: state.turnsLeft };
  const reaction = guard(faults, reply, guardrails, { toolIdOf, result: errorText });
  return reaction ?? answer?.reaction ?? { kind: "act", actions: actionsOf(calls, toolIdOf) };
}

function errorText(text: string): string {
  return jsonText({ error: text });
}

interface ReadAnswer {
  /** `null` where it cannot be read. */
  readonly reaction: Reaction | null;
  readonly faults: readonly Fault[];
}

function readAnswer(
  agent: DualSqlAgent,
  { language, inner, isClosed }: FencedBlock,
  { state, options }: { readonly state: EpisodeState; readonly options: DualSqlOptions },
): ReadAnswer {
  const expected = agent === "linker" ? ["json"] : ["sql", "sqlite"];
  if (!isClosed) return unreadable("Your block does not end: its closing ``` is missing.");
  if (language !== "" && !expected.includes(language)) {
    return unreadable(`Your block is marked ${language}, expected ${expected[0] ?? ""}.`);
  }
  if (inner === "") return unreadable("Your block is empty.");
  if (agent === "generator") {
    const reaction: Reaction = { kind: "answer", sql: inner };
    return { reaction, faults: isTested(inner, state, options) ? [] : [untested(options)] };
  }
  const linked = readLinkedAnswer(inner, state.opening.database.schema);
  if (!linked.ok) return unreadable(linked.problem);
  const slip: Fault = { violation: "malformed_answer", text: "", isFatal: false, isSlip: true };
  return { reaction: { kind: "links", links: linked.links }, faults: linked.isRepaired ? [slip] : [] };
}

function unreadable(text: string): ReadAnswer {
  return { reaction: null, faults: [{ violation: "malformed_answer", text, isFatal: true }] };
}

function isTested(sql: string, { messages }: EpisodeState, options: DualSqlOptions): boolean {
  if (!testsFirst(options)) return true;
  return answeredCalls(messages).some(({ name, arguments: given }) => {
    if (name !== EXECUTE_SQL.schema.name || given === null) return false;
    const ran = given["sql"];
    if (typeof ran !== "string" || argumentProblem(given, EXECUTE_SQL.schema) !== null) return false;
    return options.mustTest === "any" || sameQuery(ran, sql);
  });
}

function untested({ mustTest }: DualSqlOptions): Fault {
  const what = mustTest === "any" ? "You have not run any statement" : "You have not run just this query";
  const text = `${what}, so the answer was not taken. Run it with execute_sql first, look at the result, and then answer.`;
  return { violation: "untested_answer", text, isFatal: false };
}

/**
 * Tool results as chat templates write them, so that templates which drop the thoughts before the last question
 * keep those of the whole episode.
 */
export function observeDualSql(
  results: readonly { readonly action: Action; readonly result: ToolResult }[],
): Message[] {
  return toolObservations(
    results.map(({ action, result }) => ({
      callId: action.callId,
      text: action.problem === null ? result.text : errorText(action.problem),
    })),
  );
}
