import { readdirSync, readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, it } from "vitest";

const SAMPLE = new URL("../../datasets/sample/", import.meta.url);
const DATABASE_IDS = ["island_ferries", "recording_studio", "seed_library"];
const HELD_OUT_DATABASE_IDS = ["recording_studio"];
const TRAIN_DATABASE_IDS = ["island_ferries", "seed_library"];
const DESCRIPTION_COLUMNS = [
  "original_column_name",
  "column_name",
  "column_description",
  "data_format",
  "value_description",
];

interface SpiderItem {
  db_id: string;
  question: string;
  query: string;
}
interface BirdItem {
  question_id: number;
  db_id: string;
  question: string;
  evidence: string;
  SQL: string;
  difficulty?: string;
}
interface Turn {
  utterance: string;
  query: string;
}
interface Dialogue {
  database_id: string;
  interaction: Turn[];
  final: Turn;
}
interface TablesEntry {
  db_id: string;
  table_names_original: string[];
  table_names: string[];
  column_names_original: [number, string][];
  column_names: [number, string][];
  column_types: string[];
  primary_keys: (number | number[])[];
  foreign_keys: [number, number][];
}
interface PlantedError {
  file: string;
  index: number;
  turn?: number;
  kind: string;
  description: string;
  correctedSql: string;
  sameResult?: boolean;
}
interface Gold {
  place: string;
  file: string;
  databaseId: string;
  question: string;
  sql: string;
}
interface ColumnInfo {
  name: string;
  pk: number;
}
interface ForeignKeyInfo {
  table: string;
  from: string;
  to: string;
}

function readText(path: string): string {
  return readFileSync(new URL(path, SAMPLE), "utf8");
}
function readJson(path: string): unknown {
  return JSON.parse(readText(path));
}
function placeOf(file: string, index: number, turn?: number): string {
  return turn === undefined ? `${file}#${index}` : `${file}#${index}.${turn}`;
}

const SPIDER_FILES = ["spider/train_spider.json", "spider/dev.json", "spider/test.json"];
const BIRD_FILES = ["bird/train/train.json", "bird/dev/dev.json"];
const COSQL_FILES = ["cosql/sql_state_tracking/cosql_train.json", "cosql/sql_state_tracking/cosql_dev.json"];

function spiderGolds(file: string): Gold[] {
  return (readJson(file) as SpiderItem[]).map((item, index) => ({
    place: placeOf(file, index),
    file,
    databaseId: item.db_id,
    question: item.question,
    sql: item.query,
  }));
}
function birdGolds(file: string): Gold[] {
  return (readJson(file) as BirdItem[]).map((item, index) => ({
    place: placeOf(file, index),
    file,
    databaseId: item.db_id,
    question: item.question,
    sql: item.SQL,
  }));
}
function cosqlGolds(file: string): Gold[] {
  return (readJson(file) as Dialogue[]).flatMap((dialogue, index) =>
    dialogue.interaction.map((turn, turnIndex) => ({
      place: placeOf(file, index, turnIndex),
      file,
      databaseId: dialogue.database_id,
      question: turn.utterance,
      sql: turn.query,
    })),
  );
}

const golds = [
  ...SPIDER_FILES.flatMap(spiderGolds),
  ...BIRD_FILES.flatMap(birdGolds),
  ...COSQL_FILES.flatMap(cosqlGolds),
];
const plantedErrors = readJson("planted-errors.json") as PlantedError[];
const plantedPlaces = new Map(
  plantedErrors.map((error) => [placeOf(error.file, error.index, error.turn), error]),
);
const databases = new Map(
  DATABASE_IDS.map((databaseId) => {
    const database = new Database(":memory:");
    database.exec(readText(`databases/${databaseId}.sql`));
    return [databaseId, database];
  }),
);
afterAll(() => {
  for (const database of databases.values()) database.close();
});

function databaseOf(databaseId: string): Database.Database {
  const database = databases.get(databaseId);
  if (database === undefined) throw new Error(`no database ${databaseId} in the sample`);
  return database;
}
function rowsOf(databaseId: string, sql: string): unknown[][] {
  return databaseOf(databaseId).prepare(sql).raw().all() as unknown[][];
}
function tableNames(databaseId: string): string[] {
  const rows = rowsOf(databaseId, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid");
  return rows.map((row) => String(row[0]));
}
function columnsOf(databaseId: string, table: string): ColumnInfo[] {
  return databaseOf(databaseId).pragma(`table_info(${table})`) as ColumnInfo[];
}
function hasValue(rows: unknown[][]): boolean {
  return rows.some((row) => row.some((cell) => cell !== null));
}
/** The same result whichever way rows without an order are visited: ordered rows in order, others as a bag. */
function comparable(sql: string, rows: unknown[][]): string[] {
  const lines = rows.map((row) => JSON.stringify(row));
  return /order by/i.test(sql) ? lines : lines.toSorted();
}

describe("sample databases", () => {
  it.each(DATABASE_IDS)("%s holds its foreign keys and 4 to 6 tables of 5 to 60 rows", (databaseId) => {
    expect(databaseOf(databaseId).pragma("foreign_key_check")).toEqual([]);
    const tables = tableNames(databaseId);
    expect(tables.length).toBeGreaterThanOrEqual(4);
    expect(tables.length).toBeLessThanOrEqual(6);
    for (const table of tables) {
      const count = Number(rowsOf(databaseId, `SELECT count(*) FROM ${table}`)[0]?.[0]);
      expect(count, table).toBeGreaterThanOrEqual(5);
      expect(count, table).toBeLessThanOrEqual(60);
    }
  });

  it("are exactly the three that the files name", () => {
    expect(readdirSync(new URL("databases/", SAMPLE)).toSorted()).toEqual(
      DATABASE_IDS.map((databaseId) => `${databaseId}.sql`),
    );
    expect([...new Set(golds.map((gold) => gold.databaseId))].toSorted()).toEqual(DATABASE_IDS);
  });
});

describe("sample questions", () => {
  it("number what the README says", () => {
    const counts = Object.fromEntries(
      [...SPIDER_FILES, ...BIRD_FILES, ...COSQL_FILES].map((file) => [
        file,
        golds.filter((gold) => gold.file === file).length,
      ]),
    );
    expect(counts).toEqual({
      "spider/train_spider.json": 89,
      "spider/dev.json": 20,
      "spider/test.json": 20,
      "bird/train/train.json": 46,
      "bird/dev/dev.json": 20,
      "cosql/sql_state_tracking/cosql_train.json": 56,
      "cosql/sql_state_tracking/cosql_dev.json": 20,
    });
  });

  it("keep train and dev or test apart by database", () => {
    for (const file of [...SPIDER_FILES, ...BIRD_FILES, ...COSQL_FILES]) {
      const used = new Set(golds.filter((gold) => gold.file === file).map((gold) => gold.databaseId));
      expect([...used].toSorted(), file).toEqual(
        file.includes("train") ? TRAIN_DATABASE_IDS : HELD_OUT_DATABASE_IDS,
      );
    }
  });

  it("have distinct texts except the pair planted as a contradiction", () => {
    const seen = new Set<string>();
    const repeated = golds.filter((gold) => {
      const key = `${gold.databaseId} ${gold.question}`;
      if (gold.file.startsWith("cosql/")) return false;
      const isRepeated = seen.has(key);
      seen.add(key);
      return isRepeated;
    });
    expect(repeated.map((gold) => plantedPlaces.get(gold.place)?.kind)).toEqual([
      "same question with two golds",
    ]);
  });

  it("carry unique ids and, in dev, a difficulty in the BIRD files", () => {
    for (const file of BIRD_FILES) {
      const items = readJson(file) as BirdItem[];
      expect(items.map((item) => item.question_id)).toEqual(items.map((_, index) => index));
      expect(items.every((item) => typeof item.evidence === "string")).toBe(true);
    }
    const difficulties = (readJson("bird/dev/dev.json") as BirdItem[]).map((item) => item.difficulty);
    expect(new Set(difficulties)).toEqual(new Set(["simple", "moderate", "challenging"]));
    expect(readText("bird/train/train.json")).not.toContain('"difficulty"');
  });

  it("come in 23 dialogues of 2 to 5 turns with a final goal", () => {
    const dialogues = COSQL_FILES.flatMap((file) => readJson(file) as Dialogue[]);
    expect(dialogues).toHaveLength(23);
    for (const dialogue of dialogues) {
      expect(dialogue.interaction.length).toBeGreaterThanOrEqual(2);
      expect(dialogue.interaction.length).toBeLessThanOrEqual(5);
      expect(dialogue.final.utterance).not.toBe("");
      expect(hasValue(rowsOf(dialogue.database_id, dialogue.final.query)), dialogue.final.query).toBe(true);
    }
  });
});

describe("sample golds", () => {
  it("run, except those planted as not running", () => {
    const failing = golds.filter((gold) => {
      try {
        rowsOf(gold.databaseId, gold.sql);
        return false;
      } catch {
        return true;
      }
    });
    const planted = plantedErrors.filter((error) => error.kind === "gold does not run");
    expect(failing.map((gold) => gold.place).toSorted()).toEqual(
      planted.map((error) => placeOf(error.file, error.index, error.turn)).toSorted(),
    );
    expect(planted).toHaveLength(3);
  });

  it("return a value that does not depend on the visiting order, except planted ones", () => {
    for (const gold of golds.filter(({ place }) => !plantedPlaces.has(place))) {
      const rows = rowsOf(gold.databaseId, gold.sql);
      expect(hasValue(rows), `${gold.place} ${gold.sql}`).toBe(true);
      const database = databaseOf(gold.databaseId);
      database.pragma("reverse_unordered_selects = ON");
      const reversed = rowsOf(gold.databaseId, gold.sql);
      database.pragma("reverse_unordered_selects = OFF");
      expect(comparable(gold.sql, reversed), gold.place).toEqual(comparable(gold.sql, rows));
    }
  });

  it("quote no string with double quotes", () => {
    expect(golds.filter((gold) => gold.sql.includes('"')).map((gold) => gold.place)).toEqual([]);
  });
});

describe("planted errors", () => {
  it("are 32 of 20 kinds, each at a place of its own in a training file", () => {
    expect(plantedErrors).toHaveLength(32);
    expect(new Set(plantedErrors.map((error) => error.kind)).size).toBe(20);
    expect(plantedPlaces.size).toBe(32);
    expect(plantedErrors.every((error) => error.file.includes("train"))).toBe(true);
  });

  it.each([...plantedPlaces])("%s has a correction with another result", (place, error) => {
    const gold = golds.find((candidate) => candidate.place === place);
    if (gold === undefined) throw new Error(`no item at ${place}`);
    const corrected = rowsOf(gold.databaseId, error.correctedSql);
    expect(hasValue(corrected)).toBe(true);
    if (error.kind === "gold does not run") return;
    const isSame = JSON.stringify(rowsOf(gold.databaseId, gold.sql)) === JSON.stringify(corrected);
    expect(isSame).toBe(error.sameResult === true);
  });
});

describe("sample tables files", () => {
  const files = {
    "spider/tables.json": DATABASE_IDS,
    "cosql/tables.json": DATABASE_IDS,
    "bird/train/train_tables.json": TRAIN_DATABASE_IDS,
    "bird/dev/dev_tables.json": HELD_OUT_DATABASE_IDS,
  };

  it.each(Object.entries(files))("%s agrees with the databases", (file, databaseIds) => {
    const entries = readJson(file) as TablesEntry[];
    expect(entries.map((entry) => entry.db_id).toSorted()).toEqual(databaseIds);
    for (const entry of entries) {
      const tables = tableNames(entry.db_id);
      const columns = tables.map((table) => columnsOf(entry.db_id, table));
      expect(entry.table_names_original).toEqual(tables);
      expect(entry.table_names).toHaveLength(tables.length);
      expect(entry.column_names_original).toEqual([
        [-1, "*"],
        ...columns.flatMap((infos, table) => infos.map((info) => [table, info.name])),
      ]);
      expect(entry.column_names.map(([table]) => table)).toEqual(
        entry.column_names_original.map(([table]) => table),
      );
      expect(entry.column_types).toHaveLength(entry.column_names.length);
      const nameAt = (index: number): string => {
        const [table, column] = entry.column_names_original[index] ?? [-1, ""];
        return `${tables[table]}.${column}`;
      };
      const namedKeys = entry.primary_keys.map((key) => [key].flat().map(nameAt));
      const keysOfDatabase = columns.map((infos, table) =>
        infos
          .filter((info) => info.pk > 0)
          .toSorted((left, right) => left.pk - right.pk)
          .map((info) => `${tables[table]}.${info.name}`),
      );
      const isBird = file.startsWith("bird/");
      expect(namedKeys).toEqual(isBird ? keysOfDatabase : keysOfDatabase.map((key) => key.slice(0, 1)));
      const foreignKeys = tables.flatMap((table) =>
        (databaseOf(entry.db_id).pragma(`foreign_key_list(${table})`) as ForeignKeyInfo[]).map(
          (key) => `${table}.${key.from} -> ${key.table}.${key.to}`,
        ),
      );
      expect(entry.foreign_keys.map(([from, to]) => `${nameAt(from)} -> ${nameAt(to)}`).toSorted()).toEqual(
        foreignKeys.toSorted(),
      );
    }
  });
});

describe("sample column descriptions", () => {
  const windows1252 = new Set(["seed_library/varieties"]);
  const fileNames: Record<string, string> = { "island_ferries/sailings": "island_ferries/sailing" };
  const tables = DATABASE_IDS.flatMap((databaseId) =>
    tableNames(databaseId).map((table) => [databaseId, table] as const),
  );

  it.each(tables)("cover %s %s", (databaseId, table) => {
    const name = `${databaseId}/${table}`;
    const bytes = readFileSync(new URL(`bird/descriptions/${fileNames[name] ?? name}.csv`, SAMPLE));
    const utf8 = new TextDecoder("utf-8", { fatal: true });
    if (windows1252.has(name)) expect(() => utf8.decode(bytes)).toThrow(TypeError);
    const text = windows1252.has(name) ? new TextDecoder("windows-1252").decode(bytes) : utf8.decode(bytes);
    const [header, ...rows] = parse(text, { relax_column_count: false });
    expect(header).toEqual(DESCRIPTION_COLUMNS);
    expect(rows.map((row) => row[0]?.trim())).toEqual(
      columnsOf(databaseId, table).map((column) => column.name),
    );
    expect(rows.every((row) => row[2] !== "")).toBe(true);
    if (windows1252.has(name)) expect(text).toContain("Vallée");
  });

  it("have one column name with a stray space", () => {
    expect(readText("bird/descriptions/island_ferries/sailing.csv")).toContain("\ndelay_minutes ,");
  });
});
