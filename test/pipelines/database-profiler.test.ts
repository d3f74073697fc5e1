import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { ProfileOptions, type SearchRequest } from "../../core/database-profiler.ts";
import { GradusError } from "../../core/errors.ts";
import { openConnection } from "../../io/sql-driver.ts";
import type { TaskOutcome } from "../../io/worker-process.ts";
import { createDatabaseProfiler } from "../../pipelines/database-profiler.ts";
import { createSqlJudge, type SqlJudge } from "../../pipelines/sql-judge.ts";
import type { TaskPool } from "../../pipelines/sql-task-pool.ts";
import { DatabaseFixture, FERRIES } from "../io/database-fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const OPTIONS = ProfileOptions.parse({});
const fixture = new DatabaseFixture();
const judges: SqlJudge[] = [];

afterEach(async () => {
  await Promise.all(judges.splice(0).map((judge) => judge.close()));
});

afterAll(() => {
  fixture.remove();
});

function judgeOf(file: string): SqlJudge {
  const judge = createSqlJudge({ workers: 2, databasePath: () => file });
  judges.push(judge);
  return judge;
}

function inspected(judge: SqlJudge, file: string): Promise<Database> {
  return judge.inspect({ databaseId: "ferries", path: file, described: null, valuesPerColumn: 0 });
}

function searchFor(database: Database, text: string): SearchRequest {
  return {
    database,
    options: OPTIONS,
    text,
    matcher: "trigram",
    maxNames: 5,
    maxValues: 5,
    maxValuesPerColumn: 5,
  };
}

/** Counts the profiling tasks of a pool. */
function counting(pool: TaskPool): TaskPool & { profiled: number } {
  const counted: TaskPool & { profiled: number } = {
    profiled: 0,
    readableFile: (id) => pool.readableFile(id),
    attempt: (task, onPart, limitMs) => {
      if (task.kind === "profile") counted.profiled += 1;
      return pool.attempt(task, onPart, limitMs);
    },
  };
  return counted;
}

/** A pool without processes, every task of which ends in one way. */
function endingPool(file: string, outcome: TaskOutcome): TaskPool & { tasks: number } {
  const pool = {
    tasks: 0,
    readableFile: () => Promise.resolve(file),
    attempt: () => {
      pool.tasks += 1;
      return Promise.resolve(outcome);
    },
  };
  return pool;
}

describe("a database", () => {
  const file = fixture.create("ferries.sqlite", FERRIES);

  it("is profiled once in a process, once in a cache, and heard of while it is", async () => {
    const judge = judgeOf(file);
    const database = await inspected(judge, file);
    const cache = await temporaryFolder();
    const pool = counting(judge);
    const profiler = createDatabaseProfiler(pool, () => cache);
    const heard: [number, number][] = [];
    const [one, other] = await Promise.all([
      profiler.profile(database, OPTIONS, (done, total) => heard.push([done, total])),
      profiler.profile(database, OPTIONS),
    ]);
    expect(one).toEqual(other);
    expect(one.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ["ferry", 3],
      ["crossing", 3],
      ["odd", 7],
    ]);
    expect(heard.length).toBeGreaterThan(3);
    expect(await profiler.search(searchFor(database, "nordly"))).toMatchObject({
      values: [{ table: "ferry", column: "name", value: "Nordlys" }],
    });
    expect(await createDatabaseProfiler(pool, () => cache).profile(database, OPTIONS)).toEqual(one);
    expect(pool.profiled).toBe(1);
    expect((await readdir(cache)).map((name) => name.startsWith(`${database.digest}-`))).toEqual([true]);
  });

  it("has a profile for each set of options and descriptions", async () => {
    const judge = judgeOf(file);
    const database = await inspected(judge, file);
    const cache = await temporaryFolder();
    const profiler = createDatabaseProfiler(judge, () => cache);
    const [first, ...tables] = database.schema.tables;
    const schema = { ...database.schema, tables: [{ ...first, comment: "ships" }, ...tables] };
    await profiler.profile(database, OPTIONS);
    const few = await profiler.profile(database, { ...OPTIONS, samplesPerColumn: 0 });
    const described = await profiler.profile({ ...database, schema } as Database, OPTIONS);
    expect(few.tables[0]?.columns[0]?.samples).toEqual([]);
    expect(described.tables[0]?.description).toBe("ships");
    expect(await readdir(cache)).toHaveLength(3);
  });

  it("is profiled by two processes at once into one cache", async () => {
    const cache = await temporaryFolder();
    const [left, right] = [judgeOf(file), judgeOf(file)];
    const database = await inspected(left, file);
    const profiles = await Promise.all(
      [left, right].map((judge) => createDatabaseProfiler(judge, () => cache).profile(database, OPTIONS)),
    );
    expect(profiles[0]).toEqual(profiles[1]);
    expect(await readdir(cache)).toHaveLength(1);
  });

  it("is profiled again when what is kept is damaged or gone, also between a profile and a search", async () => {
    const judge = judgeOf(file);
    const database = await inspected(judge, file);
    const cache = await temporaryFolder();
    const pool = counting(judge);
    const profiler = createDatabaseProfiler(pool, () => cache);
    const profile = await profiler.profile(database, OPTIONS);
    const [name = ""] = await readdir(cache);
    await appendFile(path.join(cache, name, "profile.json"), "x");
    expect(await createDatabaseProfiler(pool, () => cache).profile(database, OPTIONS)).toEqual(profile);
    expect(pool.profiled).toBe(2);
    await writeFile(path.join(cache, name, "search.sqlite"), "no index");
    expect((await profiler.search(searchFor(database, "siskin"))).values).toHaveLength(1);
    expect(pool.profiled).toBe(3);
    await rm(cache, { recursive: true });
    expect(
      (await createDatabaseProfiler(pool, () => cache).search(searchFor(database, "siskin"))).values,
    ).toHaveLength(1);
  });

  it("is written to nowhere", async () => {
    const before = await readFile(file);
    const judge = judgeOf(file);
    const cache = await temporaryFolder();
    await createDatabaseProfiler(judge, () => cache).profile(await inspected(judge, file), OPTIONS);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await readdir(fixture.folder)).filter((name) => name.startsWith("ferries.sqlite"))).toEqual([
      "ferries.sqlite",
    ]);
  });
});

it("a database with a write-ahead log is read whole, and known by what the log holds", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "logged.sqlite");
  const writer = openConnection(file, { readOnly: false });
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (c)");
  const cache = await temporaryFolder();
  for (const value of ["one", "two"]) {
    writer.exec(`INSERT INTO t VALUES ('${value}')`);
    const judge = judgeOf(file);
    const database = await inspected(judge, file);
    expect(database.status).toBe("wal");
    const profile = await createDatabaseProfiler(judge, () => cache).profile(database, OPTIONS);
    expect(profile.tables[0]?.columns[0]?.samples.at(-1)).toBe(value);
  }
  writer.close();
  expect(await readdir(cache)).toHaveLength(2);
});

it("an unreadable database has an empty profile and no matches, and no folder is made", async () => {
  const file = path.join(await temporaryFolder({ "no.sqlite": "no database" }), "no.sqlite");
  const judge = judgeOf(file);
  const database = await inspected(judge, file);
  const profiler = createDatabaseProfiler(judge, () => {
    throw new Error("no cache is needed");
  });
  expect(await profiler.profile(database, OPTIONS)).toEqual({
    databaseId: "ferries",
    databaseDigest: database.digest,
    tables: [],
    inferredForeignKeys: [],
    index: { names: 0, values: 0, leftOut: [] },
  });
  expect(await profiler.search(searchFor(database, "x"))).toEqual({ names: [], values: [] });
});

describe("PROFILE_FAILED", () => {
  const file = fixture.create("failing.sqlite", FERRIES);
  const failed = expect.objectContaining({ code: "PROFILE_FAILED" });
  const killed = { status: "killed", mark: null, message: "the worker process ended by SIGSEGV" } as const;

  it("is thrown for a file that twice killed its process, and not tried again", async () => {
    const database = await inspected(judgeOf(file), file);
    const cache = await temporaryFolder();
    for (const cause of ["cpu", "crash"] as const) {
      const pool = endingPool(file, { ...killed, cause });
      const profiler = createDatabaseProfiler(pool, () => cache);
      await expect(profiler.profile(database, OPTIONS)).rejects.toEqual(failed);
      await expect(profiler.search(searchFor(database, "x"))).rejects.toEqual(failed);
      expect(pool.tasks).toBe(1);
    }
    expect(await readdir(cache)).toEqual([]);
  });

  it("is thrown for a file that is not the one that was loaded", async () => {
    const judge = judgeOf(file);
    const database = { ...(await inspected(judge, file)), digest: "0".repeat(64) };
    const cache = await temporaryFolder();
    await expect(createDatabaseProfiler(judge, () => cache).profile(database, OPTIONS)).rejects.toEqual(
      failed,
    );
  });
});

it("what is no fault of the file leaves with its own code, and is tried again", async () => {
  const file = fixture.create("full.sqlite", FERRIES);
  const database = await inspected(judgeOf(file), file);
  const cache = await temporaryFolder();
  const outcomes: [TaskOutcome, string][] = [
    [{ status: "failed", code: "DISK_FULL", message: "no space" }, "DISK_FULL"],
    [{ status: "killed", cause: "closed", mark: null, message: "" }, "SQL_JUDGE_CLOSED"],
    [{ status: "killed", cause: "stuck", mark: null, message: "" }, "SQL_WORKER_STUCK"],
  ];
  for (const [outcome, code] of outcomes) {
    const pool = endingPool(file, outcome);
    const profiler = createDatabaseProfiler(pool, () => cache);
    for (let time = 1; time <= 2; time += 1) {
      const thrown: unknown = await profiler.profile(database, OPTIONS).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(GradusError);
      expect(thrown).toMatchObject({ code });
      expect(pool.tasks).toBe(time);
    }
  }
  expect(await readdir(cache)).toEqual([]);
});
