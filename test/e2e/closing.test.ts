import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT } from "./gradus-process.ts";
import { writeShopDatabase } from "./spider-fixture.ts";

const ROUNDS = 40;

/** Judges one group and closes the judge the moment that it is judged, again and again. */
function script(database: string): string {
  const judge = pathToFileURL(path.join(PROJECT_ROOT, "dist/pipelines/sql-judge.js")).href;
  return `
    import { createSqlJudge } from ${JSON.stringify(judge)};
    const limits = { cpuMs: 5000, maxRows: 100, maxBytes: 10000 };
    for (let round = 0; round < ${ROUNDS}; round += 1) {
      const judge = createSqlJudge({ workers: 1, databasePath: () => ${JSON.stringify(database)} });
      const database = await judge.inspect({ databaseId: "shops", path: ${JSON.stringify(database)}, described: null, valuesPerColumn: 0 });
      const sql = "SELECT name FROM shop";
      await judge.judge({ database, gold: [sql], predictions: [sql], metrics: ["bird-ex"], goldLimits: limits, predictionLimits: limits });
      await judge.close();
      process.stdout.write(".");
    }`;
}

it("a judge that is closed the moment it has judged closes, with nothing else alive in the process", async () => {
  const root = await temporaryFolder();
  writeShopDatabase(root, "shops");
  const source = script(path.join(root, "database/shops/shops.sqlite"));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source]);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  expect(output).toBe(".".repeat(ROUNDS));
  expect(status).toBe(0);
});
