import { createSqlJudge } from "../../dist/pipelines/sql-judge.js";

const [file] = process.argv.slice(2);
const judge = createSqlJudge({ workers: 2, databasePath: () => file });
const limits = { cpuMs: 600_000, maxRows: 1000, maxBytes: 1_000_000 };
const endless = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r";
for (const gold of [endless, `${endless} WHERE i > 1`]) {
  void judge.judge({
    database: { databaseId: "ferries", schema: { databaseId: "ferries", tables: [], foreignKeys: [] } },
    gold: [gold],
    predictions: [],
    metrics: ["bird-ex"],
    goldLimits: limits,
    predictionLimits: limits,
  });
}
const timer = setInterval(() => {
  if (judge.processIds().length < 2) return;
  clearInterval(timer);
  process.stdout.write(`${judge.processIds().join(" ")}\n`);
}, 10);
