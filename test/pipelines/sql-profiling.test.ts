import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { inspectDatabase } from "../../io/inspect-database.ts";
import { ProgressWriter } from "../../io/worker-progress.ts";
import { runProfileTask, runSearchTask } from "../../pipelines/sql-profiling.ts";
import type { SqlPart } from "../../pipelines/sql-protocol.ts";
import { DatabaseFixture, FERRIES } from "../io/database-fixture.ts";

const fixture = new DatabaseFixture();

afterAll(() => {
  fixture.remove();
});

const REQUEST = {
  text: "siskin",
  matcher: "trigram",
  maxNames: 1,
  maxValues: 1,
  maxValuesPerColumn: 1,
} as const;

it("profiles with progress over what a killed process began, and searches what it wrote", async () => {
  const file = fixture.create("ferries.sqlite", FERRIES);
  const request = { databaseId: "ferries", path: file, described: null, valuesPerColumn: 0 };
  const database = await inspectDatabase(request, null);
  const indexFile = path.join(fixture.folder, "search.sqlite");
  await writeFile(indexFile, "half an index");
  const parts: SqlPart[] = [];
  const serving = {
    progress: new ProgressWriter(path.join(fixture.folder, "progress")),
    send: (part: unknown) => {
      parts.push(part as SqlPart);
      return Promise.resolve();
    },
  };
  const options = ProfileOptions.parse({});
  await runProfileTask({ kind: "profile", database, options, file, indexFile }, serving);
  expect(new Set(parts.map(({ kind }) => kind))).toEqual(new Set(["profiling", "profiled"]));
  expect(parts.at(-1)).toMatchObject({ kind: "profiled", profile: { databaseId: "ferries" } });
  for (let time = 1; time <= 2; time += 1) {
    await runSearchTask({ kind: "search", indexFile, request: REQUEST }, serving);
    expect(parts.at(-1)).toMatchObject({ kind: "searched", reply: { values: [{ value: "Siskin" }] } });
  }
  const missing = runSearchTask({ kind: "search", indexFile: `${indexFile}-2`, request: REQUEST }, serving);
  await expect(missing).rejects.toMatchObject({ code: "SEARCH_INDEX_DAMAGED" });
});
