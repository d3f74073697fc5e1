import { pMapIterable } from "p-map";
import { z } from "zod";
import { Database } from "../core/database.ts";
import type { DatabaseProfile } from "../core/database-profile.ts";
import { GradusError } from "../core/errors.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { describeAccounts } from "./describe-accounts.ts";
import { DescribeOptions } from "./describe-options.ts";
import { type DescribedPart, describedParts, saysNothing } from "./described-parts.ts";
import { type DescribeServices, describeTable, type WrittenDescription } from "./describe-table.ts";
import { DrainedWork } from "./drained-work.ts";
import { openDrained } from "./drained-model.ts";
import { profiledTable } from "./profiled-schema.ts";

/** Databases whose profiles are at hand at once. */
const DATABASES_IN_FLIGHT = 16;
/** Tables that a warning names. */
const MOST_NAMED = 8;

/**
 * Has a model describe the columns that have no comment, or one that only repeats their name, and the tables
 * that have such columns: one request for a table, several where it is wide. Descriptions become comments;
 * what the model says nothing of stays without one, and is warned of. Databases that cannot be read, and those
 * without such columns, go on as they are. What the ledger has is not asked again.
 * @throws DESCRIPTIONS_OPEN when the model was unavailable for some tables: everything else is in the ledger and
 * the same command goes on from there; DESCRIPTIONS_MISSING; what else the model throws ends the stage at once,
 * after the replies in flight.
 */
export const describeDatabasesStage = defineStage({
  name: "describe-databases",
  /** Goes up with the prompt's version. */
  version: 1,
  inputs: { databases: Database },
  outputs: { databases: Database },
  options: DescribeOptions,
  /** `mayAsk`: false for a worker, which uses what the whole run's ledger has. */
  runtime: z.strictObject({
    concurrency: z.int().positive().default(64),
    mayAsk: z.boolean().default(true),
  }),
  balances: [{ input: "databases", outputs: ["databases"] }],
  async *run({ inputs: rows, options, runtime, context }) {
    let total = 0;
    for await (const database of rows.databases()) total += describedParts(database, options).length;
    if (total === 0) {
      for await (const row of rows.databases()) yield { port: "databases", row } as const;
      return;
    }
    const describer = await Describer.open({ options, ...runtime, total }, context);
    const described = pMapIterable(rows.databases(), (database) => describer.describe(database), {
      concurrency: DATABASES_IN_FLIGHT,
      backpressure: DATABASES_IN_FLIGHT * 2,
    });
    try {
      for await (const row of described) if (row !== null) yield { port: "databases", row } as const;
    } finally {
      await describer.drain();
    }
    describer.finish();
  },
});

/** A part with what was written of it. */
interface WrittenPart extends DescribedPart {
  readonly written: WrittenDescription;
}

class Describer {
  readonly #options: DescribeOptions;
  readonly #context: StageContext;
  readonly #services: DescribeServices;
  readonly #work: DrainedWork;
  readonly #total: number;
  readonly #gaps: string[] = [];
  #done = 0;

  private constructor(
    context: StageContext,
    parts: { services: DescribeServices; work: DrainedWork; total: number },
  ) {
    this.#options = parts.services.options;
    this.#context = context;
    this.#services = parts.services;
    this.#work = parts.work;
    this.#total = parts.total;
  }

  static async open(
    request: {
      readonly options: DescribeOptions;
      readonly concurrency: number;
      readonly mayAsk: boolean;
      readonly total: number;
    },
    context: StageContext,
  ): Promise<Describer> {
    const { options, concurrency, mayAsk, total } = request;
    const work = new DrainedWork(concurrency, context.signal);
    const model = await openDrained(options.role, context.models);
    const ledger = await context.ledger();
    const services = { options, model, ledger, signal: work.signal, seed: context.seed, mayAsk };
    return new Describer(context, { services, work, total });
  }

  /** The database with its comments; `null` where the model was unavailable for some table. */
  async describe(database: Database): Promise<Database | null> {
    const parts = describedParts(database, this.#options);
    if (parts.length === 0) return database;
    const profile = await this.#profileOf(database);
    if (profile === null) {
      this.#progress(parts.length);
      return database;
    }
    const asked = parts.map((part) => this.#ask(part, database, profile));
    const written: WrittenPart[] = [];
    let isWhole = true;
    for (const settled of await Promise.allSettled(asked)) {
      if (settled.status === "fulfilled") written.push(settled.value);
      else {
        isWhole = false;
        this.#work.fail(settled.reason);
      }
    }
    this.#work.throwIfEnded();
    for (const part of written) this.#note(part, database);
    return isWhole ? withComments(database, written, this.#options) : null;
  }

  async #profileOf(database: Database): Promise<DatabaseProfile | null> {
    try {
      return await this.#context.profiler.profile(database, this.#options.profile);
    } catch (thrown) {
      if (!(thrown instanceof GradusError) || thrown.code !== "PROFILE_FAILED") throw thrown;
      this.#context.warn(`${database.databaseId} is not described: ${thrown.message}`);
      return null;
    }
  }

  async #ask(part: DescribedPart, database: Database, profile: DatabaseProfile): Promise<WrittenPart> {
    const { databaseId, digest, schema } = database;
    const table = profiledTable(part.table, profile);
    const names = new Set(part.columns.map(({ name }) => name));
    const keys = { declared: schema.foreignKeys, inferred: profile.inferredForeignKeys };
    const described = {
      databaseId,
      databaseDigest: digest,
      tables: schema.tables.map(({ name }) => name),
      table,
      columns: table.columns.filter((column) => names.has(column.schema.name)),
      keys,
    };
    const written = await this.#work.run(() => describeTable(described, this.#services));
    this.#progress(1);
    return { ...part, written };
  }

  /** Starts nothing new and waits for the replies in flight, so that they reach the ledger. */
  drain(): Promise<void> {
    return this.#work.drain("describing was ended");
  }

  /** Warns of what has no description. @throws DESCRIPTIONS_OPEN. */
  finish(): void {
    const { count, last } = this.#work.open;
    if (count > 0) {
      throw new GradusError(
        "DESCRIPTIONS_OPEN",
        `${count} requests for descriptions of tables were not answered by the model`,
        {
          hint: "run the same command again when the server answers: what was paid for is kept",
          cause: last,
        },
      );
    }
    if (this.#gaps.length === 0) return;
    const named = this.#gaps.slice(0, MOST_NAMED);
    const more = this.#gaps.length > named.length ? `, and ${this.#gaps.length - named.length} more` : "";
    this.#context.warn(`replies that could not be read, or left columns out: ${named.join(", ")}${more}`);
  }

  /** Notes the columns that a reply says nothing of. */
  #note({ table, columns, written }: WrittenPart, { databaseId }: Database): void {
    const left = columns.filter(({ name }) => !written.columns.has(name)).length;
    if (left === 0) return;
    const cut = written.isCut ? ", cut at the token limit" : "";
    this.#gaps.push(`${databaseId}.${table.name} (${left} of ${columns.length} columns${cut})`);
  }

  #progress(parts: number): void {
    this.#done += parts;
    this.#context.progress(this.#done, this.#total, describeAccounts([this.#services.model.account()]));
  }
}

/** The database with what was written as comments. */
function withComments(
  database: Database,
  parts: readonly WrittenPart[],
  { replaceExisting }: DescribeOptions,
): Database {
  const tables = database.schema.tables.map((table) => {
    const own = parts.filter((part) => part.table === table);
    if (own.length === 0) return table;
    const texts = new Map(own.flatMap(({ written }) => [...written.columns]));
    const tableText = own.find(({ written }) => written.table !== null)?.written.table ?? "";
    const isTableOpen = replaceExisting || saysNothing(table);
    return {
      ...table,
      comment: isTableOpen && tableText !== "" ? tableText : table.comment,
      columns: table.columns.map((column) => {
        const text = texts.get(column.name) ?? "";
        return text === "" ? column : { ...column, comment: text };
      }),
    };
  });
  return { ...database, schema: { ...database.schema, tables } };
}
