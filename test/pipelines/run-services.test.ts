import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { scored } from "../../core/verdict.ts";
import { listFolder, makeFolder } from "../../io/files.ts";
import { defaultWorkers, openServices } from "../../pipelines/run-services.ts";
import { ListeningReporter } from "../fakes/pipeline-stages.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LIMITS = { cpuMs: 5000, maxRows: 100, maxBytes: 10_000 };

it("services find plugs, inspect and judge, and end", async () => {
  const root = await temporaryFolder();
  await makeFolder(path.join(root, "pets"));
  const file = path.join(root, "pets/pets.sqlite");
  const connection = new SqliteDatabase(file);
  connection.exec("CREATE TABLE dogs (name TEXT); INSERT INTO dogs VALUES ('Rex'), ('Ada')");
  connection.close();
  const profileFolder = path.join(root, "profiles");
  const services = openServices({
    profileFolder,
    databaseFolders: [path.join(root, "none"), root],
    workers: 1,
    reporter: new ListeningReporter(),
    signal: new AbortController().signal,
  });
  try {
    expect((await services.plugs.find("metric", "bird-ex")).kind).toBe("metric");
    const request = { databaseId: "pets", path: file, described: null, valuesPerColumn: 0 };
    const database = await services.inspector.inspect(request);
    expect(database).toMatchObject({ status: "ok", rowCounts: [2] });
    const { answers } = await services.judge.judge({
      database,
      gold: ["SELECT name FROM dogs"],
      predictions: ["SELECT name FROM dogs ORDER BY 1", "SELECT 'Rex'"],
      metrics: ["bird-ex"],
      goldLimits: LIMITS,
      predictionLimits: LIMITS,
    });
    expect(answers.map(({ verdicts }) => verdicts["bird-ex"])).toEqual([scored(1), scored(0)]);
    const profile = await services.profiler.profile(database, ProfileOptions.parse({}));
    expect(profile.tables[0]?.columns[0]).toMatchObject({ name: "name", samples: ["Ada", "Rex"] });
  } finally {
    await services.close();
  }
  expect(await listFolder(profileFolder)).toHaveLength(1);
});

it("there is a worker for each core unless a person says otherwise", () => {
  expect(defaultWorkers()).toBeGreaterThanOrEqual(1);
});
