import { GradusError } from "../core/errors.ts";
import { keyOf } from "../core/key.ts";
import type { Ledger, LedgerTurn } from "../core/ledger.ts";
import type { Model, ModelReply, ModelRequest, Sampling } from "../core/model.ts";
import { SeededRandom } from "../core/random.ts";
import { type Message, type SampleIdentity, sampleId, type Trajectory } from "../core/trajectory.ts";
import { chatMessages } from "./chat-messages.ts";
import type { DescribeOptions } from "./describe-options.ts";
import { descriptionIdentity } from "./description-sample.ts";
import { sampledMessage } from "./episode-messages.ts";
import { totalUsage } from "./episode-usage.ts";
import { type DescribedTable, describeTablePrompt } from "./prompts/describe-table.ts";
import { readTableDescription, type TableDescription } from "./table-description.ts";

/** Replies that are asked for: a second one where the first says nothing of some column. */
const MOST_REPLIES = 2;
/** Failures that come from the end of the run: nothing to tell of a description. */
const STOPS: ReadonlySet<string> = new Set(["INTERRUPTED"]);

/** What descriptions are asked for with. */
export interface DescribeServices {
  readonly options: DescribeOptions;
  readonly model: Model;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly seed: number;
  /** Whether the model may be asked for what the ledger does not have. */
  readonly mayAsk: boolean;
}

/** What was written of a table and some of its columns. */
export interface WrittenDescription extends TableDescription {
  /** Whether the last reply was cut by its token limit. */
  readonly isCut: boolean;
}

/**
 * Asks for descriptions of a table and some of its columns, once more under another seed where the reply cannot
 * be read or leaves columns out; the first reply that says something of one counts. A reply is committed to the
 * ledger before it is read, and what the ledger has is not asked for again.
 * @throws DESCRIPTIONS_MISSING where the model may not be asked, and what model and ledger throw.
 */
export async function describeTable(
  described: DescribedTable & { readonly databaseDigest: string },
  services: DescribeServices,
): Promise<WrittenDescription> {
  const prompt = describeTablePrompt(described);
  const { options, ledger } = services;
  const sampling: Sampling = { ...options.sampling, stop: [] };
  const identity = descriptionIdentity({
    databaseId: described.databaseId,
    databaseDigest: described.databaseDigest,
    table: described.table.schema.name,
    promptText: prompt.map(({ rawText }) => rawText).join("\n\n"),
    model: options.model,
    sampling,
  });
  const names = described.columns.map(({ schema }) => schema.name);
  const sample = new DescriptionSample(identity, { prompt, sampling }, services);
  const replies: ModelReply[] = [];
  let written: TableDescription = { table: null, columns: new Map() };
  while (replies.length < MOST_REPLIES && names.some((name) => !written.columns.has(name))) {
    const reply = await sample.reply(replies.length);
    if (reply === undefined) break;
    replies.push(reply);
    written = together(written, readTableDescription(reply.content, names));
  }
  if (ledger.outcome(sample.id) === undefined) await sample.finish(replies, written.columns.size > 0);
  return { ...written, isCut: replies.at(-1)?.finishReason === "length" };
}

function together(first: TableDescription, second: TableDescription | null): TableDescription {
  if (second === null) return first;
  const columns = new Map([...second.columns, ...first.columns]);
  return { table: first.table ?? second.table, columns };
}

/** One description in the ledger: its replies stand as turns, none of which sees another. */
class DescriptionSample {
  readonly id: string;
  readonly #identity: SampleIdentity;
  readonly #asked: { readonly prompt: readonly Message[]; readonly sampling: Sampling };
  readonly #services: DescribeServices;
  readonly #isFinished: boolean;
  #committed: readonly LedgerTurn[];

  constructor(
    identity: SampleIdentity,
    asked: { readonly prompt: readonly Message[]; readonly sampling: Sampling },
    services: DescribeServices,
  ) {
    this.id = sampleId(identity);
    this.#identity = identity;
    this.#asked = asked;
    this.#services = services;
    this.#isFinished = services.ledger.outcome(this.id) !== undefined;
    this.#committed = services.ledger.turns(this.id);
  }

  /** A reply by its place; `undefined` where a finished description has no more. */
  async reply(turn: number): Promise<ModelReply | undefined> {
    const committed = this.#committed[turn];
    if (this.#isFinished) return committed?.reply;
    const { ledger, model, signal } = this.#services;
    const request = this.#request(turn);
    const requestHash = keyOf(request);
    if (committed?.requestHash === requestHash) return committed.reply;
    if (!this.#services.mayAsk) throw missing(this.#identity);
    if (signal.aborted) throw interrupted(this.id);
    await ledger.openSample(this.id, this.#identity);
    if (committed !== undefined) {
      await ledger.dropTurnsFrom(this.id, turn);
      this.#committed = this.#committed.slice(0, turn);
    }
    const reply = await this.#watch(turn, () => model.complete(request, signal));
    await ledger.commitReply({ sampleId: this.id, turn, requestHash, reply });
    return reply;
  }

  /** Ends the sample; replies that say nothing that can be read are discarded, and not asked for again. */
  async finish(replies: readonly ModelReply[], isReadable: boolean): Promise<void> {
    const outcome = isReadable
      ? ({ kind: "finished", trajectory: this.#trajectory(replies) } as const)
      : ({ kind: "discarded", reason: "no reply describes a column" } as const);
    await this.#services.ledger.finish(this.id, outcome);
  }

  #request(turn: number): ModelRequest {
    const { prompt, sampling } = this.#asked;
    return {
      model: this.#identity.model.name,
      messages: chatMessages(prompt, { pastThoughts: "none", nativeTools: false }),
      tools: [],
      sampling,
      seed: this.#seedOf(turn),
    };
  }

  /** 31 bits, that any server takes. */
  #seedOf(turn: number): number {
    return new SeededRandom(this.#services.seed, "describe-table", this.id, turn).nextUint32() >>> 1;
  }

  async #watch(turn: number, action: () => Promise<ModelReply>): Promise<ModelReply> {
    try {
      return await action();
    } catch (thrown) {
      if (thrown instanceof GradusError && !STOPS.has(thrown.code)) {
        const { code, message } = thrown;
        await this.#services.ledger.record({ sampleId: this.id, turn, code, message });
      }
      throw thrown;
    }
  }

  #trajectory(replies: readonly ModelReply[]): Trajectory {
    const { exampleId, sampleIndex, round, model, scaffold } = this.#identity;
    return {
      id: this.id,
      exampleId,
      sampleIndex,
      round,
      model,
      scaffold,
      source: this.#services.options.simulated ? "simulated" : "sampled",
      pastThoughts: "none",
      messages: [...this.#asked.prompt, ...replies.map(replyMessage)],
      finalSql: null,
      stopReason: "answered",
      usage: totalUsage(replies),
      seed: this.#seedOf(0),
    };
  }
}

/** A description is no answer that a model is trained on. */
function replyMessage(reply: ModelReply): Message {
  const { reasoning, content } = reply;
  const message = sampledMessage(reply, { reasoning, content, toolCalls: [], restored: "" });
  return { ...message, train: false, weight: 0, trainReason: "description" };
}

function missing({ question }: SampleIdentity): GradusError {
  return new GradusError(
    "DESCRIPTIONS_MISSING",
    `the run has no description of the table ${question} yet, and a worker asks for none: all workers have to show the same`,
    { hint: "first run the same config with --until describe and without --worker" },
  );
}

function interrupted(id: string): GradusError {
  return new GradusError("INTERRUPTED", "interrupted before the next description of a table", {
    site: { rowId: id },
    hint: "run the same command again: what was paid for is kept",
  });
}
