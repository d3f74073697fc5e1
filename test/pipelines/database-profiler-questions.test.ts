import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { type DatabaseProfiler, ProfileOptions, type SearchReply } from "../../core/database-profiler.ts";
import { createDatabaseProfiler } from "../../pipelines/database-profiler.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { createSqlJudge, type SqlJudge } from "../../pipelines/sql-judge.ts";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import {
  type ColumnQuestion,
  type KeyQuestion,
  PROFILER_QUESTIONS,
  type QuestionedDatabase,
  type SearchQuestion,
} from "./database-profiler-questions.ts";

const OPTIONS = ProfileOptions.parse({});
const NO_TYPES = { null: 0, integer: 0, real: 0, text: 0, blob: 0 };

it("there are at least 50 questions, none of them twice", () => {
  expect(new Set(PROFILER_QUESTIONS.map((question) => JSON.stringify(question))).size).toBe(
    PROFILER_QUESTIONS.length,
  );
  expect(PROFILER_QUESTIONS.length).toBeGreaterThanOrEqual(50);
});

describeWithShared("the profiler and search on BIRD's databases", (shared) => {
  const root = path.join(shared, "data/bird");
  const source = { root, split: "dev", release: null };
  const databases = new Map<string, Database>();
  let judge: SqlJudge;
  let profiler: DatabaseProfiler;

  beforeAll(async () => {
    const loader = await createPlugFinder().find("loader", "bird");
    const [folder = ""] = loader.databaseFolders(source);
    const fileOf = (id: string): string => path.join(folder, id, `${id}.sqlite`);
    judge = createSqlJudge({ workers: 2, databasePath: fileOf });
    const cacheFolder = await temporaryFolder();
    profiler = createDatabaseProfiler(judge, () => cacheFolder);
    const schemas = await loader.schemas(source);
    for (const databaseId of ["superhero", "student_club"] satisfies QuestionedDatabase[]) {
      const described = schemas.find(({ schema }) => schema.databaseId === databaseId)?.schema ?? null;
      const request = { databaseId, path: fileOf(databaseId), described, valuesPerColumn: 0 };
      databases.set(databaseId, await judge.inspect(request));
    }
  });

  afterAll(() => judge.close());

  const databaseOf = (id: QuestionedDatabase): Database => databases.get(id) as Database;

  const searches = PROFILER_QUESTIONS.filter((question) => question.kind === "search");
  it.each(
    searches.map((question) => [question.database, question.matcher, question.text, question] as const),
  )("%s: %s finds %j", async (id, matcher, text, question) => {
    const { table, column } = question;
    const reply = await profiler.search({
      database: databaseOf(id),
      options: OPTIONS,
      text,
      matcher,
      ...(table === undefined ? {} : { table }),
      ...(column === undefined ? {} : { column }),
      maxNames: 10,
      maxValues: 60,
      maxValuesPerColumn: 20,
    });
    expectFound(reply, question);
  });

  const columns = PROFILER_QUESTIONS.filter((question) => question.kind === "column");
  it.each(columns.map((question) => [question.database, question.place, question] as const))(
    "%s: the profile of %s",
    async (id, place, question) => {
      expectColumn(await profiler.profile(databaseOf(id), OPTIONS), place, question);
    },
  );

  const keys = PROFILER_QUESTIONS.filter((question) => question.kind === "keys");
  describe.each(keys.map((question) => [question.database, question] as const))(
    "keys of %s",
    (id, question) => {
      it(`that data and names show ${question.hidden ? "when none is declared" : "beyond the declared"}`, async () => {
        const database = databaseOf(id);
        const schema = question.hidden ? { ...database.schema, foreignKeys: [] } : database.schema;
        expectKeys(await profiler.profile({ ...database, schema }, OPTIONS), question);
      });
    },
  );
});

function expectFound({ names, values }: SearchReply, question: SearchQuestion): void {
  const found = values.map(({ table, column, value }) => [`${table}.${column}`, value]);
  const foundNames = names.map(({ table, column }) => (column === null ? table : `${table}.${column}`));
  if (question.best !== undefined) expect(found[0]).toEqual(question.best);
  if (question.values !== undefined) expect(found).toEqual(expect.arrayContaining([...question.values]));
  if (question.only !== undefined) {
    expect(found).toHaveLength(question.only.length);
    expect(found).toEqual(expect.arrayContaining([...question.only]));
  }
  if (question.bestName !== undefined) expect(foundNames[0]).toBe(question.bestName);
  if (question.names !== undefined) {
    expect(foundNames).toEqual(expect.arrayContaining([...question.names]));
    if (question.names.length === 0) expect(foundNames).toEqual([]);
  }
}

function expectColumn(profile: DatabaseProfile, place: string, question: ColumnQuestion): void {
  const [tableName, columnName] = place.split(".");
  const table = profile.tables.find(({ name }) => name === tableName);
  expect(table?.rows).toBe(question.rows);
  const column = table?.columns.find(({ name }) => name === columnName);
  expect(column?.stored).toEqual({ ...NO_TYPES, ...question.stored });
  expect(column).toMatchObject(question.expected);
}

function expectKeys(profile: DatabaseProfile, question: KeyQuestion): void {
  const found = profile.inferredForeignKeys.map((key) => [
    `${key.table}.${key.column} -> ${key.referencedTable}.${key.referencedColumn}`,
    key.evidence,
  ]);
  expect(found).toEqual(question.expected);
}
