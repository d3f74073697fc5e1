import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { sha256 } from "../../core/key.ts";
import { SqlEngine } from "../../io/sql-engine.ts";
import { openConnection } from "../../io/sql-driver.ts";
import { significantTokens, tokenize } from "../../sql/lexer.ts";
import type { SpiderSchema } from "../../sql/spider-names.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import { checkStatement, selectsFromSchemaTable } from "../../sql/statement-check.ts";
import type { StatementMode } from "../../sql/statement-check.ts";

const SCRIPT = `
  CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, rating REAL);
  INSERT INTO shop VALUES (1, 'Ada', 4.5), (2, 'Bo', NULL);
  CREATE TABLE sale (shop_id INTEGER, day TEXT);
  INSERT INTO sale VALUES (1, 'Monday'), (2, 'Sunday');
`;
const MODES: readonly StatementMode[] = ["query", "explore"];
const LIMITS = { cpuMs: 1000, maxRows: 100, maxBytes: 100_000 };
const MOST_ROWS = 100;

/** The tables of the database that texts are tried on. */
export const SHOP_SCHEMA: SpiderSchema = {
  tables: [
    { name: "shop", columns: ["id", "name", "rating"] },
    { name: "sale", columns: ["shop_id", "day"] },
  ],
};

/** What a text was to the check and the engines; counted, so that a run shows that all were reached. */
export interface Outcome {
  readonly admitted: boolean;
  readonly prepared: boolean;
  readonly ran: boolean;
}

/** The databases and engines that texts are tried on. */
export class Trial {
  readonly #folder: string;
  readonly #file: string;
  readonly #engines: readonly SqlEngine[];
  #memory: Database.Database;
  #digest: string;
  readonly #fileDigest: string;

  /** @param folder - empty; nothing may appear in it but the database made here */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, "shops.sqlite");
    const connection = openConnection(this.#file, { readOnly: false });
    connection.exec(SCRIPT);
    connection.close();
    this.#fileDigest = sha256(readFileSync(this.#file).toString("latin1"));
    this.#engines = MODES.map((mode) => SqlEngine.open(this.#file, { mode }));
    this.#memory = newMemory();
    this.#digest = digestOf(this.#memory);
  }

  /** Tries a text; throws what is wrong with it. */
  try(text: string): Outcome {
    checkLexer(text);
    const [query] = MODES.map((mode) => checkStatement(text, mode));
    selectsFromSchemaTable(text);
    parseSpiderQuery(text, SHOP_SCHEMA);
    const { prepared, reads } = this.#prepare(text);
    if (query?.ok === true) this.#runAdmitted(text);
    const statuses = this.#engines.map((engine) => engine.run(text, LIMITS).execution.status);
    if (prepared && !reads && statuses.some((status) => !["denied", "error", "empty"].includes(status))) {
      throw new Error(`a write ended as ${statuses.join(", ")}`);
    }
    if (
      query?.ok === false &&
      query.reason === "not_a_query" &&
      prepared &&
      reads &&
      !isOtherStatement(text)
    ) {
      throw new Error("a query was refused");
    }
    return { admitted: query?.ok === true, prepared, ran: statuses.some((status) => status === "ok") };
  }

  /** Throws when a file changed or appeared. */
  checkFiles(): void {
    const names = readdirSync(this.#folder);
    if (names.join() !== "shops.sqlite") throw new Error(`files: ${names.join()}`);
    const digest = sha256(readFileSync(this.#file).toString("latin1"));
    if (digest !== this.#fileDigest) throw new Error("the database file changed");
  }

  /** Whether the other SQLite takes a text, and whether it says that it only reads. Nothing is run. */
  #prepare(text: string): { prepared: boolean; reads: boolean } {
    const scratch = newMemory();
    try {
      const statement = scratch.prepare(text);
      return { prepared: true, reads: statement.reader && statement.readonly };
    } catch {
      return { prepared: false, reads: false };
    } finally {
      scratch.close();
    }
  }

  /** Runs a text that the check admitted where nothing else holds it back. */
  #runAdmitted(text: string): void {
    try {
      let rows = 0;
      for (const _ of this.#memory.prepare(text).iterate()) if ((rows += 1) >= MOST_ROWS) break;
    } catch {
      // What SQLite refuses is no concern here; what it did is looked at below.
    }
    const opened = this.#memory.pragma("database_list") as { name: string; file: string }[];
    if (opened.some(({ name, file }) => file !== "" || !["main", "temp"].includes(name)))
      throw new Error("it opened another database");
    if (this.#memory.inTransaction) throw new Error("it left a transaction open");
    if (digestOf(this.#memory) === this.#digest) return;
    this.#memory.close();
    this.#memory = newMemory();
    this.#digest = digestOf(this.#memory);
    throw new Error("it changed the database");
  }
}

function newMemory(): Database.Database {
  const database = new Database(":memory:");
  database.exec(SCRIPT);
  return database;
}

function digestOf(database: Database.Database): string {
  return sha256(database.serialize().toString("latin1"));
}

function checkLexer(text: string): void {
  const tokens = tokenize(text);
  if (tokens.map((token) => token.text).join("") !== text)
    throw new Error("the tokens joined are not the text");
  let end = 0;
  for (const token of tokens) {
    if (token.start !== end || token.end <= token.start) throw new Error("a token is empty or out of place");
    if (text.slice(token.start, token.end) !== token.text) throw new Error("a token is not where it says");
    end = token.end;
  }
  if (end !== text.length) throw new Error("the tokens do not cover the text");
}

/** Whether a text is a PRAGMA, ATTACH or another statement that SQLite calls reading and that is no query. */
function isOtherStatement(text: string): boolean {
  const words = significantTokens(text)
    .filter((token) => token.text !== ";")
    .map((token) => token.text.toLowerCase());
  const verb = words[0] === "explain" ? words[words[1] === "query" ? 3 : 1] : words[0];
  return verb !== "select" && verb !== "values" && verb !== "with";
}
