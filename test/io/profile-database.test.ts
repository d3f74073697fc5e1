import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { inspectDatabase } from "../../io/inspect-database.ts";
import { profileDatabase } from "../../io/profile-database.ts";
import { SearchIndex } from "../../io/search-index.ts";
import { DatabaseFixture, FERRIES } from "./database-fixture.ts";

const fixture = new DatabaseFixture();
let files = 0;

afterAll(() => {
  fixture.remove();
});

interface Made {
  readonly profile: DatabaseProfile;
  readonly indexFile: string;
  readonly progress: [done: number, total: number][];
  readonly steps: number;
}

async function profile(
  script: string,
  options: Partial<ProfileOptions> = {},
  change: (database: Database) => Database = (database) => database,
): Promise<Made> {
  files += 1;
  const file = fixture.create(`${files}.sqlite`, script);
  const request = { databaseId: "one", path: file, described: null, valuesPerColumn: 0 };
  const database = change(await inspectDatabase(request, null));
  expect(database.status, database.message).toBe("ok");
  const indexFile = path.join(fixture.folder, `${files}.index`);
  const progress: [number, number][] = [];
  let steps = 0;
  const profiled = await profileDatabase(
    { database, options: ProfileOptions.parse(options), file, indexFile },
    {
      onStep: () => (steps += 1),
      onProgress: (done, total) => {
        progress.push([done, total]);
        return Promise.resolve();
      },
    },
  );
  return { profile: profiled, indexFile, progress, steps };
}

function column(made: Made, table: string, name: string) {
  return made.profile.tables.find((one) => one.name === table)?.columns.find((one) => one.name === name);
}

describe("a column's profile", () => {
  it("counts types as they are stored, distinct values, and gives the least and the greatest", async () => {
    const ferries = await profile(FERRIES);
    expect(column(ferries, "ferry", "length")).toEqual({
      name: "length",
      stored: { null: 1, integer: 0, real: 2, text: 0, blob: 0 },
      distinct: 2,
      minimum: 40,
      maximum: 80.5,
      samples: ["40.0", "80.5"],
      description: "",
    });
    expect(column(ferries, "odd", "value")).toEqual({
      name: "value",
      stored: { null: 0, integer: 1, real: 1, text: 4, blob: 1 },
      distinct: 7,
      minimum: { integer: "9223372036854775807" },
      maximum: { blob: "636166" },
      samples: [
        expect.stringMatching(/^9\.2233720368547\d+e\+18$/),
        "9223372036854775807",
        "caf",
        "caf\0e",
        "caf\uFFFD",
      ],
      description: "",
    });
  });

  it("tells values apart by their bytes, whatever collation the column has", async () => {
    const made = await profile(
      "CREATE TABLE t (c TEXT COLLATE NOCASE); INSERT INTO t VALUES ('a'), ('A'), ('b'), ('b')",
    );
    expect(column(made, "t", "c")).toMatchObject({ distinct: 3, samples: ["b", "A", "a"], minimum: "A" });
  });

  it("counts 1 and 1.0 as one value of two types, and text apart", async () => {
    const made = await profile("CREATE TABLE t (c); INSERT INTO t VALUES (1), (1.0), ('1'), (x'31'), (NULL)");
    expect(column(made, "t", "c")).toMatchObject({
      stored: { null: 1, integer: 1, real: 1, text: 1, blob: 1 },
      distinct: 3,
      samples: ["1", "1"],
    });
  });

  it("has nothing where there is nothing, and empty texts and blobs where there are such", async () => {
    const made = await profile(
      "CREATE TABLE t (a, b, c); CREATE TABLE u (d); INSERT INTO t VALUES ('', x'', NULL)",
    );
    const nothing = { distinct: 0, minimum: null, maximum: null, samples: [] };
    expect(column(made, "t", "a")).toMatchObject({ distinct: 1, minimum: "", samples: [""] });
    expect(column(made, "t", "b")).toMatchObject({ distinct: 1, minimum: { blob: "" }, samples: [] });
    expect(column(made, "t", "c")).toMatchObject(nothing);
    expect(column(made, "u", "d")).toMatchObject({ ...nothing, stored: { null: 0 } });
  });

  it("cuts long values, and gives as many samples as it is told", async () => {
    const made = await profile("CREATE TABLE t (c); INSERT INTO t VALUES ('ééééé'), (x'0102030405')", {
      maxValueCharacters: 3,
      samplesPerColumn: 1,
    });
    expect(column(made, "t", "c")).toMatchObject({ minimum: "ééé…", samples: ["ééé…"] });
    expect(column(made, "t", "c")?.maximum).toEqual({ blob: "010…" });
    expect(
      column(
        await profile("CREATE TABLE t (c); INSERT INTO t VALUES (1)", { samplesPerColumn: 0 }),
        "t",
        "c",
      ),
    ).toMatchObject({ samples: [] });
  });

  it("reads text of a file in UTF-16", async () => {
    const made = await profile(
      "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (c); INSERT INTO t VALUES ('Åse'), ('Bo')",
    );
    expect(column(made, "t", "c")).toMatchObject({ distinct: 2, samples: ["Bo", "Åse"] });
    expect(made.profile.index).toEqual({ names: 2, values: 2, leftOut: [] });
  });

  it("has no cells where SQLite cannot read it, and the others are well", async () => {
    const made = await profile("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x')", {}, (database) => {
      const [table] = database.schema.tables;
      const gone = { name: "gone", type: "", comment: "", primaryKey: 0 };
      const tables = [{ ...table, columns: [...(table?.columns ?? []), gone] }];
      return { ...database, schema: { ...database.schema, tables } } as Database;
    });
    expect(column(made, "t", "b")).toMatchObject({ distinct: 1, stored: { text: 1 } });
    expect(column(made, "t", "gone")).toMatchObject({ distinct: 0, samples: [] });
  });

  it("is of names that no SQL can be made of", async () => {
    const made = await profile(
      `CREATE TABLE "value_counts" ("a""b" TEXT, "select" INT, "x; DROP TABLE y" TEXT);
       INSERT INTO value_counts VALUES ('1', 2, 'three')`,
    );
    expect(column(made, "value_counts", 'a"b')).toMatchObject({ samples: ["1"] });
    expect(column(made, "value_counts", "x; DROP TABLE y")).toMatchObject({ samples: ["three"] });
  });
});

describe("the index", () => {
  const SCRIPT =
    "CREATE TABLE t (a, b, c); INSERT INTO t VALUES " +
    "('one', 'x', 1), ('two', 'a long value', 2), ('three', CAST(x'ff' AS TEXT), 'word'), ('three', NULL, NULL)";

  it("holds the texts of every column, and says what it leaves out and why", async () => {
    const { profile: made } = await profile(SCRIPT, { maxValueCharacters: 5 });
    expect(made.index).toEqual({
      names: 4,
      values: 5,
      leftOut: [
        { table: "t", column: "b", reason: "long_values", values: 1 },
        { table: "t", column: "b", reason: "not_text", values: 1 },
        { table: "t", column: "c", reason: "not_text", values: 2 },
      ],
    });
  });

  it("is full at its limit, and leaves out columns with too many values", async () => {
    const full = await profile(SCRIPT, { maxValues: 2 });
    expect(full.profile.index.values).toBe(2);
    expect(full.profile.index.leftOut).toContainEqual({
      table: "t",
      column: "a",
      reason: "index_full",
      values: 1,
    });
    const many = await profile(SCRIPT, { maxValuesPerColumn: 2 });
    expect(many.profile.index.leftOut[0]).toEqual({
      table: "t",
      column: "a",
      reason: "too_many_values",
      values: 3,
    });
  });

  it("accounts for every distinct value", async () => {
    for (const options of [{}, { maxValues: 2 }, { maxValuesPerColumn: 2 }, { maxValueCharacters: 3 }]) {
      const { profile: made } = await profile(SCRIPT, options);
      const distinct = made.tables
        .flatMap(({ columns }) => columns)
        .reduce((sum, one) => sum + one.distinct, 0);
      const leftOut = made.index.leftOut.reduce((sum, one) => sum + one.values, 0);
      expect(made.index.values + leftOut).toBe(distinct);
    }
  });

  it("finds what was written", async () => {
    const { indexFile } = await profile(SCRIPT);
    const index = new SearchIndex(indexFile);
    const request = {
      text: "thre",
      matcher: "trigram",
      maxNames: 1,
      maxValues: 5,
      maxValuesPerColumn: 5,
    } as const;
    expect(index.search(request).values).toMatchObject([{ table: "t", column: "a", value: "three" }]);
    index.close();
  });
});

it("a profile is the same each time", async () => {
  const [one, other] = [await profile(FERRIES), await profile(FERRIES)];
  expect(one.profile).toEqual(other.profile);
});

it("progress goes up to its total, with a mark before each step", async () => {
  const { progress, steps } = await profile(FERRIES);
  const last = progress.at(-1) as [number, number];
  expect(last[0]).toBe(last[1]);
  expect(progress.map(([done]) => done)).toEqual(progress.map(([done]) => done).toSorted((a, b) => a - b));
  expect(steps).toBeGreaterThan(progress.length);
});
