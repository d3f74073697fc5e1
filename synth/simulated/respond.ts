import { DUALSQL_ACTION } from "../prompts/dualsql.ts";
import { type Attempt, attemptKnown, attemptUnknown, type ReplyText } from "./attempt.ts";
import { type ChatText, type KnownQuestion, QuestionIndex } from "./question-index.ts";
import { describeReply } from "./describe-reply.ts";
import { dualSqlReply } from "./dualsql-reply.ts";
import { mtsqlReply } from "./mtsql-reply.ts";
import { opinionReply } from "./opinion-reply.ts";
import { retoolReply } from "./retool-reply.ts";
import { singleTurnReply } from "./single-turn-reply.ts";
import { sqlTrailReply } from "./sql-trail-reply.ts";

/** Options of {@link createSimulatedModel}. */
export interface SimulatedModelOptions {
  /**
   * The mean share of right answers on questions of medium hardness, in [0, 1], of models that
   * `competences` does not name and whose name does not end in one (`student@0.8`).
   */
  readonly competence: number;
  /** By exact model name. */
  readonly competences?: Readonly<Record<string, number>>;
  /** Decides which questions are always, sometimes and never answered right; 1 unless given. */
  readonly seed?: number;
}

/**
 * A chat completion asked of the simulated model: a `ModelRequest` is one. What is not here does not matter
 * to it.
 */
export interface SimulatedRequest {
  readonly model: string;
  readonly messages: readonly ChatText[];
  /** At temperature 0 the seed does not matter. */
  readonly sampling: {
    readonly temperature: number;
    readonly maxTokens: number;
    readonly stop: readonly string[];
  };
  readonly seed: number | null;
  /** Tools that the server is told of. */
  readonly tools?: readonly { readonly name: string }[];
  /** Whether a stop string that was met stays in the text; it does not unless given. */
  readonly keepsStop?: boolean;
}

/** A completion; a token is four characters, the last one begun counts. */
export interface SimulatedReply {
  readonly content: string;
  readonly finishReason: "stop" | "length";
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
}

/** A stand-in for a model server's model, without state. */
export interface SimulatedModel {
  /** The same bytes for the same request, whatever was asked before. */
  respond(request: SimulatedRequest): SimulatedReply;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * A model that answers from gold: it finds the question in the prompt ({@link QuestionIndex}), answers right
 * as often as its competence and the question's hardness say, else with a mistake. Which question it knows
 * how well depends on `seed` and the example alone, so that a more competent name is right wherever a lesser
 * one is always right; whether an uncertain one succeeds depends on model name and request seed too. It
 * speaks the protocols of the scaffolds, told apart by the tags and tools that the prompt shows: MTSQL-R1's,
 * ReToolSQL's, DualSQL's, SQL-Trail's, else a thought with one fenced block. Asked to describe a table, it repeats
 * names. Its answers hold gold and are good for trying out a pipeline, not for training.
 */
export function createSimulatedModel(
  examples: Iterable<KnownQuestion>,
  options: SimulatedModelOptions,
): SimulatedModel {
  const index = new QuestionIndex(examples);
  return {
    respond: (request) => {
      const description = describeReply(request.messages) ?? opinionReply(request.messages);
      if (description !== undefined) return finish(description, request);
      const found = index.find(request.messages);
      const shown = request.messages.map(({ content }) => content).join("\n");
      const decided = {
        seed: options.seed ?? 1,
        model: request.model,
        competence: competenceOf(request.model, options),
      };
      const take: Taking = (draw) =>
        found === undefined
          ? attemptUnknown(shown, { ...decided, draw })
          : attemptKnown(found.question, { ...decided, draw });
      return finish(replyOf(take, request, found?.place), request);
    },
  };
}

/** Takes up the question of a request under a draw. */
type Taking = (draw: number | string) => Attempt;

/** The competence that a model name stands for. */
export function competenceOf(model: string, options: SimulatedModelOptions): number {
  const named = options.competences?.[model];
  if (named !== undefined) return named;
  const [, suffix] = /@(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(model) ?? [];
  return suffix === undefined ? options.competence : Number(suffix);
}

function replyOf(take: Taking, request: SimulatedRequest, place: number | undefined): ReplyText {
  const { messages, sampling, seed } = request;
  const draw = sampling.temperature === 0 ? "greedy" : (seed ?? "unseeded");
  const given = messages.filter(({ role }) => role !== "assistant").map(({ content }) => content);
  const shows = (...signs: readonly string[]): boolean =>
    signs.every((sign) => given.some((text) => text.includes(sign)));
  const asked = place ?? messages.findIndex(({ role }) => role === "user");
  const transcript = messages.slice(asked + 1);
  if (shows("exec_sql", "memory_retrieve")) {
    return mtsqlReply(take, draw, { transcript, hasMemory: shows("<memory_check>") });
  }
  if (shows("sqlite_query", "<scratch_pad>")) return retoolReply(take, draw, transcript);
  if (shows(DUALSQL_ACTION)) {
    const agent = shows("```json") ? "linker" : "generator";
    return dualSqlReply(take, draw, { agent, transcript, tools: toolsShown(shows, request) });
  }
  return shows("<sql>", "<solution>") ? sqlTrailReply(take, draw, transcript) : singleTurnReply(take(draw));
}

const DUALSQL_TOOLS = ["execute_sql", "full_text_search", "database_profiler"];

/** DualSQL's tools that the server or the prompt tells of. */
function toolsShown(shows: (sign: string) => boolean, { tools = [] }: SimulatedRequest): ReadonlySet<string> {
  const told = tools.map(({ name }) => name);
  return new Set(DUALSQL_TOOLS.filter((name) => told.includes(name) || shows(`"name":"${name}"`)));
}

/** Repeats an endless text, ends at the first stop string, and cuts what is over the token limit. */
function finish({ text, isEndless }: ReplyText, request: SimulatedRequest): SimulatedReply {
  const limit = request.sampling.maxTokens * CHARACTERS_PER_TOKEN;
  const whole = isEndless ? text.repeat(Math.ceil((limit + 1) / text.length)) : text;
  const stopped = stopAt(whole, request);
  const isCut = stopped.length > limit;
  const content = isCut ? stopped.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "") : stopped;
  const prompt = request.messages.reduce((sum, message) => sum + message.content.length, 0);
  return {
    content,
    finishReason: isCut ? "length" : "stop",
    usage: {
      promptTokens: tokens(prompt),
      completionTokens: isCut ? limit / CHARACTERS_PER_TOKEN : tokens(content.length),
    },
  };
}

function stopAt(text: string, { sampling, keepsStop }: SimulatedRequest): string {
  let end = text.length;
  for (const mark of sampling.stop.filter((candidate) => candidate !== "")) {
    const at = text.indexOf(mark);
    if (at === -1) continue;
    end = Math.min(end, keepsStop === true ? at + mark.length : at);
  }
  return text.slice(0, end);
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
