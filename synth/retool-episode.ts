import { z } from "zod";
import { Guardrails } from "../core/guardrail.ts";
import type { ModelReply, ToolSchema } from "../core/model.ts";
import type { Action, EpisodeState, Reaction } from "../core/scaffold.ts";
import type { ToolResult } from "../core/tool.ts";
import type { Message } from "../core/trajectory.ts";
import { keptCalls, partThought, readActions } from "./call-parser.ts";
import { sampledMessage } from "./episode-messages.ts";
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
} from "./guardrails.ts";
import { retoolForm, retoolTurnsLeftText, type RetoolRules } from "./prompts/retool-sql.ts";
import { faultLine, faultTold, queryFault, type QueryFault } from "./retool-faults.ts";
import { annotatedSchema, readRetool, type RetoolAnswer, type RetoolReply } from "./retool-reply.ts";
import { partPad } from "./scratch-pad.ts";
import { BM25_SEARCH_SQLITE, SQLITE_PEEK, SQLITE_QUERY } from "./tool-descriptions.ts";
import { toolObservations } from "./tool-observations.ts";

/** Options of the scaffolds of ReToolSQL. */
export const RetoolOptions = z.strictObject({
  /** Whether tools are called by a tag in the text or through the server's interface. */
  calls: z.enum(["text", "native"]).default("text"),
  /** Whether earlier turns of a dialogue come with their SQL. */
  history: z.enum(["questions", "gold"]).default("questions"),
  /** Replies of an episode, refused ones too: the paper's 8 turns with a tool, and the answer. */
  maxTurns: z.int().positive().default(9),
  /** Of a reply's scratch pads together; the paper bounds them and does not say where. */
  maxScratchCharacters: z.int().positive().default(4_000),
  /** Rows of a query's result. */
  maxRows: z.int().positive().default(20),
  maxCellCharacters: z.int().positive().default(150),
  /** CPU time of one statement, milliseconds. */
  cpuMs: z.int().positive().default(30_000),
  /** `wrong_transition` is a peek or a search without a fault before it. */
  guardrails: Guardrails.prefault({}),
});
export type RetoolOptions = z.infer<typeof RetoolOptions>;

const TOOLS = [SQLITE_QUERY, SQLITE_PEEK, BM25_SEARCH_SQLITE];
const toolIdOf = toolIdIn(TOOLS);

/** The tools as a model is told of them. */
export const RETOOL_SCHEMAS: readonly ToolSchema[] = TOOLS.map(({ schema }) => schema);

/** The tools with their options. */
export function retoolTools({ maxRows, maxCellCharacters, cpuMs }: RetoolOptions) {
  return [
    { id: SQLITE_QUERY.id, options: { maxRows, maxCellCharacters, cpuMs } },
    { id: SQLITE_PEEK.id, options: {} },
    { id: BM25_SEARCH_SQLITE.id, options: {} },
  ];
}

/** What the prompt says of the episode. */
export function retoolRules(options: RetoolOptions): RetoolRules {
  const { calls, history, maxTurns, maxScratchCharacters, guardrails } = options;
  const refusesEarlyRepair = guardrails.checks.includes("wrong_transition");
  return { calls, history, maxTurns, maxScratchCharacters, refusesEarlyRepair };
}

/**
 * A reply as the message that stays. Its thought is what a reasoning model thinks first, and where replies
 * are sent back as text also its scratch pads, which stay in the content all the same.
 */
export function keepRetoolReply(reply: ModelReply, { calls: form }: RetoolOptions): Message {
  const { thought, visible } = partThought(reply.content, reply.reasoning);
  const content = visible.trim();
  const { pad, rest } = partPad(content);
  const native = form === "native" ? reply.toolCalls : [];
  const thoughts = form === "native" ? [thought] : [thought, pad];
  const told = thoughts.filter((part) => part !== null && part !== "");
  return sampledMessage(reply, {
    reasoning: told.length === 0 ? null : told.join("\n\n"),
    content,
    toolCalls: keptCalls(readActions(rest, native, RETOOL_SCHEMAS).calls),
    restored: "",
  });
}

/** What earlier replies and results leave to know. */
interface Known {
  /** Of the last query that was run; `null` before the first. */
  readonly fault: QueryFault | null;
  /** What the last schema block of an accepted reply holds. */
  readonly schema: string | null;
}

/**
 * What a reply means: a call, or the final query once a query was run and the schema that it uses is named.
 * @paper ReToolSQL, turn protocol; that the answer needs a query run before it is our reading of its workflow
 */
export function reactToRetool(message: Message, state: EpisodeState, options: RetoolOptions): Reaction {
  const { turnsLeft, messages } = state;
  const reply = readRetool(message, RETOOL_SCHEMAS);
  const known = knownFrom(messages);
  const faults = faultsOf({ message, reply, known }, messages, options);
  const [call] = reply.calls;
  const answer = reply.answers.find(({ sql }) => sql !== "");
  const reaction = guard(
    faults,
    { calls: reply.calls, answers: answer !== undefined, turnsLeft },
    options.guardrails,
    {
      toolIdOf,
      result: (text) => `${text}\n${retoolTurnsLeftText(turnsLeft)}`,
    },
  );
  if (reaction !== null) return reaction;
  const isCallFirst = call !== undefined && (answer === undefined || (call.start ?? -1) < answer.start);
  if (answer !== undefined && (!isCallFirst || turnsLeft === 0)) return { kind: "answer", sql: answer.sql };
  return { kind: "act", actions: actionsOf(call === undefined ? [] : [call], toolIdOf) };
}

function knownFrom(messages: readonly Message[]): Known {
  let fault: QueryFault | null = null;
  let schema: string | null = null;
  for (const [place, message] of messages.entries()) {
    fault = faultTold(message) ?? fault;
    if (message.origin !== "sampled" || messages[place + 1]?.origin !== "environment") continue;
    schema = readRetool(message, RETOOL_SCHEMAS).schema ?? schema;
  }
  return { fault, schema };
}

interface Judged {
  readonly message: Message;
  readonly reply: RetoolReply;
  readonly known: Known;
}

/** In the order of their weight. */
function faultsOf(
  { message, reply, known }: Judged,
  earlier: readonly Message[],
  options: RetoolOptions,
): Fault[] {
  const form = retoolForm(options);
  const { calls, answers, isForged, visible } = reply;
  const block = answers[0];
  const fenced = block === undefined ? undefined : { ...block, language: "sql", inner: block.sql };
  return [
    ...forgeryFaults(isForged),
    ...padFaults(reply),
    ...countFaults(calls.length + answers.length, form),
    ...thoughtFaults(reply.pad ?? message.reasoning, "in scratch_pad tags"),
    ...lengthFaults(reply, options),
    ...callFaults(calls, earlier),
    ...repairFaults(reply, known),
    ...(block === undefined ? [] : answerFaults(block, reply, known)),
    ...trailingFaults(fenced, { visible, rawText: message.rawText }, options.guardrails),
  ];
}

function padFaults({ isPadOpen }: RetoolReply): Fault[] {
  if (!isPadOpen) return [];
  const text =
    "Your scratch pad does not end, so nothing of your reply was done: close it before the action.";
  return [{ violation: "no_action", text, isFatal: true }];
}

function lengthFaults({ pad }: RetoolReply, { maxScratchCharacters }: RetoolOptions): Fault[] {
  const length = Array.from(pad ?? "").length;
  if (length <= maxScratchCharacters) return [];
  const text = `Your scratch pad has ${length} characters, so nothing of your reply was done. It may have at most ${maxScratchCharacters}.`;
  return [{ violation: "long_thought", text, isFatal: false }];
}

/** The fault of a peek or a search that repairs nothing. */
function repairFaults({ calls }: RetoolReply, { fault }: Known): Fault[] {
  if (fault !== null && fault !== "none") return [];
  const repair = calls.find(({ name, problem }) => problem === null && name !== SQLITE_QUERY.schema.name);
  if (repair === undefined) return [];
  const seen = fault === null ? "no query was run yet" : "the last query that was run shows none";
  const text = `${repair.name} only repairs a fault, and ${seen}, so it was not called. Run a query with sqlite_query, or give your final query.`;
  return [{ violation: "wrong_transition", text, isFatal: false }];
}

function answerFaults(answer: RetoolAnswer, reply: RetoolReply, known: Known): Fault[] {
  if (answer.sql === "") {
    const text = answer.isClosed
      ? "Your final query is empty."
      : "Your final query does not end: its closing tag is missing.";
    return [{ violation: "malformed_answer", text, isFatal: true }];
  }
  const faults: Fault[] = [];
  const schema = reply.schema ?? known.schema;
  if (schema === null || annotatedSchema(schema) === null) {
    const what = schema === null ? "are not named" : "are not named as one JSON object";
    const text = `The tables and columns of your final query ${what}, so it was not taken. Put {"table": ["column"]} in schema tags before it.`;
    faults.push({ violation: "malformed_answer", text, isFatal: false });
  }
  if (known.fault === null) {
    const text =
      "You have not run a query yet, so your final query was not taken. Run it with sqlite_query first.";
    faults.push({ violation: "untested_answer", text, isFatal: false });
  }
  return faults;
}

/** Results with the fault that they show, if they are a query's, and the replies that are left. */
export function observeRetool(
  results: readonly { readonly action: Action; readonly result: ToolResult }[],
  { turnsLeft }: EpisodeState,
): Message[] {
  const told = results.map(({ action, result }) => {
    const fault = action.toolId === SQLITE_QUERY.id ? queryFault(result) : null;
    const lines = [
      result.text,
      ...(fault === null ? [] : [faultLine(fault)]),
      retoolTurnsLeftText(turnsLeft),
    ];
    return { callId: action.callId, text: lines.join("\n") };
  });
  return toolObservations(told);
}
