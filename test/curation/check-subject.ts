import SqliteDatabase from "better-sqlite3";
import type { Check, CheckSubject, Doubt } from "../../core/check.ts";
import type { Database, ForeignKey } from "../../core/database.ts";
import { exampleId, type Example } from "../../core/example.ts";
import type { Finding } from "../../core/finding.ts";
import { keyOf } from "../../core/key.ts";
import type { QueryReply, ShownCell } from "../../core/sql-runner.ts";
import { runChecks } from "../../curation/run-checks.ts";
import { goldFacts } from "../../sql/gold-facts.ts";

/** A harbour: boats of owners, crossings of boats between ports; `Eider` has no crossing, no crew member exists. */
const HARBOUR = `
  CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, owner_name TEXT, city TEXT, sex TEXT);
  CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, name TEXT, owner_id INTEGER REFERENCES owner(owner_id),
    kind TEXT, seats INTEGER, price REAL, built INTEGER);
  CREATE TABLE port (port_id INTEGER PRIMARY KEY, port_name TEXT, region TEXT);
  CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat(boat_id),
    start_port_id INTEGER REFERENCES port(port_id), end_port_id INTEGER REFERENCES port(port_id),
    day TEXT, passengers INTEGER);
  CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, crew_name TEXT, boat_id INTEGER);
  INSERT INTO owner VALUES (1, 'Ann Miller', 'Oban', 'F'), (2, 'Ben Stone', 'Mallaig', 'M'), (3, 'Cal Reid', 'Oban', 'M');
  INSERT INTO boat VALUES (11, 'Tern', 1, 'Ferry', 100, 9.5, 1990), (12, 'Gull', 1, 'Ferry', 80, 7.0, 1995),
    (13, 'Eider', 2, 'Tug Boat', 4, 3.25, 2001), (14, 'Puffin', 3, 'Cutter', 7, NULL, 1990);
  INSERT INTO port VALUES (101, 'Oban', 'Argyll'), (102, 'Craignure', 'Mull'), (103, 'Tobermory', 'Mull');
  INSERT INTO crossing VALUES (1, 11, 101, 102, '2020-01-05', 40), (2, 11, 102, 101, '2020-02-05', 60),
    (3, 12, 101, 103, '2021-01-06', 20), (4, 12, 103, 101, '2021-03-06', 21), (5, 14, 101, 102, '2021-01-07', 3);
`;

/** What a test says of an example; the rest is plain. */
export interface Annotation {
  readonly question: string;
  readonly gold: string;
  readonly evidence?: string;
  readonly sourceId?: string;
  readonly undetermined?: CheckSubject["undetermined"];
  readonly sameQuestion?: CheckSubject["sameQuestion"];
  readonly describedForeignKeys?: readonly ForeignKey[];
  /** How the gold ended, where it is not run. */
  readonly execution?: QueryReply;
}

const harbour = new SqliteDatabase(":memory:");
harbour.exec(HARBOUR);

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

interface KeyRow {
  readonly from: string;
  readonly table: string;
  readonly to: string;
}

function databaseOf(describedForeignKeys: readonly ForeignKey[] | undefined): Database {
  const names = harbour
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all() as string[];
  const tables = names.map((name) => ({
    name,
    comment: "",
    columns: (harbour.pragma(`table_info(${name})`) as ColumnRow[]).map((column) => ({
      name: column.name,
      type: column.type,
      comment: "",
      primaryKey: column.pk,
    })),
  }));
  const foreignKeys = names.flatMap((table) =>
    (harbour.pragma(`foreign_key_list(${table})`) as KeyRow[]).map((key) => ({
      table,
      column: key.from,
      referencedTable: key.table,
      referencedColumn: key.to,
    })),
  );
  return {
    databaseId: "harbour",
    status: "ok",
    message: "",
    digest: "0".repeat(64),
    bytes: 1,
    schema: { databaseId: "harbour", tables, foreignKeys },
    describedForeignKeys: describedForeignKeys === undefined ? null : [...describedForeignKeys],
    rowCounts: names.map((name) => harbour.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number),
    values: [],
  };
}

/** Runs a statement on the harbour. */
export function runOnHarbour(sql: string, maxRows = 2000): QueryReply {
  try {
    const statement = harbour.prepare(sql);
    const columnNames = statement.columns().map(({ name }) => name);
    const rows = statement.raw().all() as ShownCell[][];
    const digest = keyOf(rows.map((row) => JSON.stringify(row)).sort()).slice(0, 32);
    const status = rows.length === 0 ? "empty" : "ok";
    const execution = {
      status,
      message: "",
      rows: rows.length,
      columns: columnNames.length,
      digest,
    } as const;
    return { execution: { ...execution, orderedDigest: digest }, columnNames, rows: rows.slice(0, maxRows) };
  } catch (thrown) {
    return failedReply("error", thrown instanceof Error ? thrown.message : "");
  }
}

/** The reply of a statement that did not end well. */
export function failedReply(status: QueryReply["execution"]["status"], message: string): QueryReply {
  const execution = { status, message, rows: 0, columns: 0, digest: "", orderedDigest: "" };
  return { execution, columnNames: [], rows: [] };
}

/** An example of the harbour. */
export function harbourExample({ question, gold, evidence, sourceId }: Annotation): Example {
  const content = {
    dataset: { name: "harbour", release: "1", split: "train" },
    sourceId: sourceId ?? "7",
    databaseId: "harbour",
    question,
    evidence: evidence ?? null,
    history: [],
    dialogue: null,
    gold: [gold],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
  };
  return { id: exampleId(content, 0), ...content };
}

/** An annotation with everything that a check may look at. */
export function harbourSubject(annotation: Annotation): CheckSubject {
  const database = databaseOf(annotation.describedForeignKeys);
  return {
    example: harbourExample(annotation),
    sql: annotation.gold,
    facts: goldFacts(annotation.gold, database.schema),
    database,
    execution: annotation.execution ?? runOnHarbour(annotation.gold),
    undetermined: annotation.undetermined ?? [],
    sameQuestion: annotation.sameQuestion ?? [],
  };
}

/** What a check finds of an annotation, its probes run on the harbour. */
export function findingsOf(check: Check, annotation: Annotation): Promise<Finding[]> {
  return runChecks([check], harbourSubject(annotation), (sql, maxRows) =>
    Promise.resolve(runOnHarbour(sql, maxRows)),
  );
}

/** The kinds of what a check finds, in their order. */
export async function kindsOf(
  check: Check,
  question: string,
  gold: string,
  evidence?: string,
): Promise<Doubt["kind"][]> {
  const annotation = evidence === undefined ? { question, gold } : { question, gold, evidence };
  return (await findingsOf(check, annotation)).map(({ kind }) => kind);
}
