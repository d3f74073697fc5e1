import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { DatabaseProfiler } from "../core/database-profiler.ts";
import { Execution } from "../core/execution.ts";
import { keyOf, type Json } from "../core/key.ts";
import type { Ledger, LedgerOutcome, LedgerTurn } from "../core/ledger.ts";
import type { Model, ModelReply, ModelRequest } from "../core/model.ts";
import { SeededRandom } from "../core/random.ts";
import type { Action, EpisodeState, Reaction } from "../core/scaffold.ts";
import type { SqlRunner } from "../core/sql-runner.ts";
import type { ToolResult } from "../core/tool.ts";
import {
  sampleId,
  type LinkedTable,
  type Message,
  type StopReason,
  type Trajectory,
} from "../core/trajectory.ts";
import { chatMessages } from "./chat-messages.ts";
import { resolvePlan, type EpisodePlan, type ResolvedPlan } from "./episode-plan.ts";
import { spentTokens, totalUsage } from "./episode-usage.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** Failures that come from the end of the run: nothing to tell of a sample. */
const STOPS: ReadonlySet<string> = new Set(["INTERRUPTED", "SQL_JUDGE_CLOSED"]);

/** What an episode runs on. */
export interface EpisodeServices {
  readonly model: Model;
  readonly ledger: Ledger;
  readonly sql: SqlRunner;
  readonly profiler: DatabaseProfiler;
  readonly signal: AbortSignal;
  /** Told of the messages so far before each reply is asked for. */
  readonly watch?: (messages: readonly Message[]) => void;
}

/**
 * Plays one episode to its end and gives its outcome; one that the ledger knows the end of is given at once.
 * A reply is committed before anything else is done with it, and the results of its tools before the next
 * request. Committed turns are replayed as long as their request is the one that would be sent; from the
 * first that is not, turns are set aside and asked for anew.
 *
 * Ends: `answered`; what the scaffold stops for; `content_filter`; `length` for a cut reply without an answer
 * (`token_budget` where the episode's own budget cut it); `turn_budget` or `token_budget` when the last reply
 * that fits asks for more, which then is not run. A failure of the model or of a tool's machinery is recorded
 * as an event, unless it comes from the end of the run, and rethrown; the sample stays open.
 * @throws EPISODE_OPTIONS_INVALID, EPISODE_TOOL_MISSING, INTERRUPTED, and what model, ledger and tools throw.
 */
export async function runEpisode(plan: EpisodePlan, services: EpisodeServices): Promise<LedgerOutcome> {
  const resolved = resolvePlan(plan);
  const id = sampleId(resolved.identity);
  const known = services.ledger.outcome(id);
  if (known !== undefined) return known;
  await services.ledger.openSample(id, resolved.identity);
  const trajectory = await new Episode(id, resolved, services).play();
  const outcome: LedgerOutcome = { kind: "finished", trajectory };
  await services.ledger.finish(id, outcome);
  return outcome;
}

/** Tool results as the ledger keeps them. */
const StoredResults = z.array(
  z.strictObject({
    toolId: z.string(),
    arguments: z.record(z.string(), z.json()),
    text: z.string(),
    ok: z.boolean(),
    execution: Execution.nullable(),
  }),
);

interface StoredResult extends ToolResult {
  readonly toolId: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** How an episode ends. */
interface Ending {
  readonly stopReason: StopReason;
  readonly finalSql: string | null;
  readonly links?: readonly LinkedTable[];
  readonly stopDetail?: string;
}

class Episode {
  readonly #id: string;
  readonly #resolved: ResolvedPlan;
  readonly #services: EpisodeServices;
  readonly #messages: Message[];
  readonly #replies: ModelReply[] = [];
  readonly #maxTurns: number;
  /** The turns that can still be replayed, by turn. */
  #committed: readonly LedgerTurn[];

  constructor(id: string, resolved: ResolvedPlan, services: EpisodeServices) {
    const { plan, options } = resolved;
    this.#id = id;
    this.#resolved = resolved;
    this.#services = services;
    this.#messages = [...plan.scaffold.open(plan.opening, options)];
    this.#maxTurns = Math.max(1, plan.scaffold.maxTurns(options));
    this.#committed = services.ledger.turns(id);
  }

  async play(): Promise<Trajectory> {
    for (let turn = 0; ; turn += 1) {
      const ending = await this.#playTurn(turn);
      if (ending === null) continue;
      if (this.#committed.length > turn + 1) await this.#dropFrom(turn + 1);
      return this.#trajectory(ending);
    }
  }

  async #playTurn(turn: number): Promise<Ending | null> {
    const { plan, options } = this.#resolved;
    const { scaffold, opening } = plan;
    this.#services.watch?.(this.#messages);
    const request = this.#request(turn);
    const reply = await this.#replyTo(request, turn);
    this.#replies.push(reply);
    const before = [...this.#messages];
    const message = scaffold.read(reply, options);
    this.#messages.push(message);
    const turnsLeft = this.#maxTurns - turn - 1;
    const state: EpisodeState = { turn, turnsLeft, opening, messages: before };
    if (reply.finishReason === "content_filter") return { stopReason: "content_filter", finalSql: null };
    const reaction = scaffold.react(message, state, options);
    const ending = this.#endingOf(reaction, reply, request, turnsLeft);
    if (ending !== null) return ending;
    if (reaction.kind === "remind") this.#messages.push(...reaction.messages);
    if (reaction.kind === "act") {
      const results = await this.#resultsOf(reaction.actions, turn);
      this.#messages.push(...scaffold.observe(results, state, options));
    }
    return null;
  }

  #endingOf(reaction: Reaction, reply: ModelReply, request: ModelRequest, turnsLeft: number): Ending | null {
    if (reaction.kind === "answer") return { stopReason: "answered", finalSql: reaction.sql };
    if (reaction.kind === "links") return { stopReason: "answered", finalSql: null, links: reaction.links };
    if (reply.finishReason === "length") {
      const isOurCut = request.sampling.maxTokens < this.#resolved.sampling.maxTokens;
      return { stopReason: isOurCut ? "token_budget" : "length", finalSql: null };
    }
    if (reaction.kind === "stop") return this.#stopped(reaction);
    if (turnsLeft === 0) return { stopReason: "turn_budget", finalSql: null };
    if (this.#tokensLeft() <= 0) return { stopReason: "token_budget", finalSql: null };
    return null;
  }

  #stopped({ reason, detail, masksEarlier }: Extract<Reaction, { kind: "stop" }>): Ending {
    if (masksEarlier === true) {
      const last = this.#messages.length - 1;
      this.#messages.forEach((message, place) => {
        if (message.train && place < last) this.#messages[place] = masked(message);
      });
    }
    return { stopReason: reason, finalSql: null, ...(detail === undefined ? {} : { stopDetail: detail }) };
  }

  #tokensLeft(): number {
    const { maxCompletionTokens } = this.#resolved.plan;
    return maxCompletionTokens === null ? Infinity : maxCompletionTokens - spentTokens(this.#replies);
  }

  #request(turn: number): ModelRequest {
    const { plan, options, sampling, tools } = this.#resolved;
    const { pastThoughts } = plan.scaffold;
    const nativeTools = plan.scaffold.nativeTools(options);
    return {
      model: plan.model.name,
      messages: chatMessages(this.#messages, { pastThoughts, nativeTools }),
      tools: nativeTools ? tools.map(({ tool }) => tool.schema) : [],
      sampling: { ...sampling, maxTokens: Math.max(1, Math.min(sampling.maxTokens, this.#tokensLeft())) },
      seed: this.#seedOf(turn),
    };
  }

  /** 31 bits, that any server takes. */
  #seedOf(turn: number): number | null {
    const { seed } = this.#resolved.plan;
    return seed === null ? null : new SeededRandom(seed, "episode-turn", this.#id, turn).nextUint32() >>> 1;
  }

  async #replyTo(request: ModelRequest, turn: number): Promise<ModelReply> {
    const { model, ledger, signal } = this.#services;
    const requestHash = ledger.keepsNothing === true ? "" : keyOf(request);
    const committed = this.#committed[turn];
    if (committed?.requestHash === requestHash) return committed.reply;
    if (committed !== undefined) await this.#dropFrom(turn);
    if (signal.aborted) throw interrupted(this.#id);
    const reply = await this.#watch(turn, () => model.complete(request, signal));
    await ledger.commitReply({ sampleId: this.#id, turn, requestHash, reply });
    return reply;
  }

  async #resultsOf(
    actions: readonly Action[],
    turn: number,
  ): Promise<{ readonly action: Action; readonly result: ToolResult }[]> {
    const { ledger } = this.#services;
    const committed = this.#committed[turn];
    const stored = storedResults(committed?.observation ?? null, actions);
    if (stored !== null) return withActions(actions, stored);
    if (committed !== undefined && committed.observation !== null) {
      await this.#dropFrom(turn);
      const { requestHash, reply } = committed;
      await ledger.commitReply({ sampleId: this.#id, turn, requestHash, reply });
    }
    const results: StoredResult[] = [];
    for (const action of actions) {
      const { text, ok, execution } = await this.#watch(turn, () => this.#run(action));
      results.push({ toolId: action.toolId, arguments: action.arguments, text, ok, execution });
    }
    await ledger.commitObservation(this.#id, turn, results as unknown as Json);
    return withActions(actions, results);
  }

  async #run(action: Action): Promise<ToolResult> {
    const { plan, tools } = this.#resolved;
    const found = tools.find(({ tool }) => tool.id === action.toolId);
    const problem = action.problem ?? (found === undefined ? `There is no tool ${action.toolId}.` : null);
    if (problem !== null || found === undefined) {
      return { text: escapeProtocolTags(problem ?? ""), ok: false, execution: null };
    }
    const { database, history } = plan.opening;
    const { sql, profiler } = this.#services;
    const { profile, profileOptions } = plan;
    const context = { database, sql, history, profiler, profile, profileOptions };
    return found.tool.run(action.arguments, found.options, context);
  }

  /** Runs what may fail for reasons outside the sample, and records such a failure. */
  async #watch<T>(turn: number, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (thrown) {
      if (thrown instanceof GradusError && !STOPS.has(thrown.code)) {
        const { code, message } = thrown;
        await this.#services.ledger.record({ sampleId: this.#id, turn, code, message });
      }
      throw thrown;
    }
  }

  async #dropFrom(turn: number): Promise<void> {
    await this.#services.ledger.dropTurnsFrom(this.#id, turn);
    this.#committed = this.#committed.slice(0, turn);
  }

  #trajectory({ stopReason, finalSql, links, stopDetail }: Ending): Trajectory {
    const { plan, identity } = this.#resolved;
    return {
      id: this.#id,
      exampleId: identity.exampleId,
      sampleIndex: identity.sampleIndex,
      round: identity.round,
      model: identity.model,
      scaffold: identity.scaffold,
      source: this.#replies.some(({ simulated }) => simulated === true) ? "simulated" : "sampled",
      pastThoughts: plan.scaffold.pastThoughts,
      messages: [...this.#messages],
      finalSql,
      ...(links === undefined ? {} : { links: links.map(({ table, columns }) => ({ table, columns })) }),
      stopReason,
      ...(stopDetail === undefined ? {} : { stopDetail }),
      usage: totalUsage(this.#replies),
      seed: this.#seedOf(0),
    };
  }
}

/** A reply before one that broke the protocol: it is not trained on. */
function masked(message: Message): Message {
  return { ...message, train: false, weight: 0, trainReason: "masked_by_guardrail" };
}

/** Committed results, if they are those of these very calls. */
function storedResults(observation: Json, actions: readonly Action[]): readonly StoredResult[] | null {
  const stored = StoredResults.safeParse(observation).data;
  if (stored === undefined || stored.length !== actions.length) return null;
  const isSame = stored.every(
    (result, index) =>
      result.toolId === actions[index]?.toolId && keyOf(result.arguments) === keyOf(actions[index].arguments),
  );
  return isSame ? stored : null;
}

function withActions(
  actions: readonly Action[],
  results: readonly StoredResult[],
): { readonly action: Action; readonly result: ToolResult }[] {
  return results.map(({ text, ok, execution }, index) => ({
    action: actions[index] as Action,
    result: { text, ok, execution },
  }));
}

function interrupted(id: string): GradusError {
  return new GradusError("INTERRUPTED", "interrupted before the next reply of an episode", {
    site: { rowId: id },
    hint: "run the same command again: what was paid for is kept",
  });
}
