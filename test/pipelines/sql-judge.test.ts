import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { JudgeReply, JudgeRequest } from "../../core/judge.ts";
import { digestFile } from "../../io/files.ts";
import { scored } from "../../core/verdict.ts";
import { limitsReport } from "../../io/process-limits.ts";
import { copyDatabase } from "../../io/database-files.ts";
import { openConnection } from "../../io/sql-driver.ts";
import { createSqlJudge } from "../../pipelines/sql-judge.ts";
import type { SqlJudge, SqlJudgeOptions } from "../../pipelines/sql-judge.ts";
import { DatabaseFixture, FERRIES } from "../io/database-fixture.ts";
import { isAlive, untilGone } from "../io/process-state.ts";

const LIMITS = { cpuMs: 5000, maxRows: 1000, maxBytes: 1_000_000 };
const SHORT = { ...LIMITS, cpuMs: 150 };
const ENDLESS = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r";

const COUNTING = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 5000)";

let fixture: DatabaseFixture;
let file: string;
let digest: string;
const judges: SqlJudge[] = [];

beforeAll(async () => {
  fixture = new DatabaseFixture();
  file = fixture.create("ferries.sqlite", FERRIES);
  digest = (await digestFile(file)).sha256;
});

afterEach(async () => {
  await Promise.all(judges.splice(0).map((judge) => judge.close()));
});

afterAll(async () => {
  expect((await digestFile(file)).sha256).toBe(digest);
  fixture.remove();
});

function start(options: Partial<SqlJudgeOptions> = {}): SqlJudge {
  const judge = createSqlJudge({
    workers: 1,
    databasePath: (id) => (id === "ferries" ? file : null),
    ...options,
  });
  judges.push(judge);
  return judge;
}

function ferries(databaseId = "ferries"): Database {
  return {
    databaseId,
    status: "ok",
    message: "",
    digest: "",
    bytes: 0,
    schema: { databaseId, tables: [], foreignKeys: [] },
    describedForeignKeys: null,
    rowCounts: [],
    values: [],
  };
}

function request(gold: string[], predictions: string[], more: Partial<JudgeRequest> = {}): JudgeRequest {
  return {
    database: ferries(),
    gold,
    predictions,
    metrics: ["bird-ex"],
    goldLimits: LIMITS,
    predictionLimits: LIMITS,
    ...more,
  };
}

/** A result of 5,000 rows with the numbers to `last`. */
function upTo(last: number): string {
  return `${COUNTING} SELECT min(i, ${last}) FROM r`;
}

/** Status and verdict of every answer, in short. */
function summary(reply: JudgeReply): string[] {
  return reply.answers.map(({ execution, verdicts }) => {
    const verdict = verdicts["bird-ex"];
    return `${execution.status} ${verdict?.status === "scored" ? verdict.score : verdict?.reason}`;
  });
}

describe("judge", () => {
  it("judges answers in their order, equal ones alike", async () => {
    const reply = await start().judge(
      request(
        ["SELECT name FROM ferry"],
        [
          "SELECT name FROM ferry ORDER BY id DESC",
          "SELECT id FROM ferry",
          "SELECT name FROM ferry",
          "",
          "SELECT id FROM ferry",
          "DROP TABLE ferry",
          "SELECT nothing",
          "SELECT 1; SELECT 1",
        ],
      ),
    );
    expect(summary(reply)).toEqual([
      "ok 1",
      "ok 0",
      "ok 1",
      "empty 0",
      "ok 0",
      "denied 0",
      "error 0",
      "denied 0",
    ]);
    expect(reply.gold).toEqual([reply.answers[2]?.execution]);
    expect(reply.answers[0]?.execution).toMatchObject({ rows: 3, columns: 1, message: "" });
    expect(reply.answers[0]?.execution.digest).toBe(reply.gold[0]?.digest);
  });

  it("times a pair in rounds, each run of a statement under a limit of its own", async () => {
    const limits = { ...LIMITS, cpuMs: 500 };
    const counting = ENDLESS.replace("FROM r)", "FROM r LIMIT 200000)");
    const ask = request([counting], [ENDLESS, `${counting} -- again`, "SELECT 1"], {
      metrics: ["bird-r-ves"],
      goldLimits: limits,
      predictionLimits: limits,
    });
    const judge = start();
    const timed = await judge.judge({ ...ask, timingRounds: 12 });
    expect(timed.answers.map(({ verdicts }) => verdicts["bird-r-ves"])).toEqual([
      { status: "scored", score: 0 },
      {
        status: "scored",
        score: expect.any(Number) as number,
        details: { reward: expect.any(Number) as number, ratio: expect.any(Number) as number },
      },
      { status: "scored", score: 0, details: { reward: 0 } },
    ]);
    expect(timed.answers.map(({ execution }) => execution.status)).toEqual(["timeout", "ok", "ok"]);
    const untimed = await judge.judge({ ...ask, predictions: [counting] });
    expect(untimed.answers[0]?.verdicts["bird-r-ves"]).toMatchObject({ reason: "not_timed" });
  });

  it("takes the best of several golds, and says why no gold serves", async () => {
    const judge = start();
    const golds = ["SELECT broken", "SELECT id FROM ferry", "SELECT name FROM ferry"];
    const [several, none] = await Promise.all([
      judge.judge(request(golds, ["SELECT name FROM ferry", "SELECT 7"])),
      judge.judge(request(["SELECT broken"], ["SELECT 1", "SELECT broken"])),
    ]);
    expect(several.gold.map(({ status }) => status)).toEqual(["error", "ok", "ok"]);
    expect(summary(several)).toEqual(["ok 1", "ok 0"]);
    expect(summary(none)).toEqual(["ok gold_error", "error gold_error"]);
  });

  it("answers many requests at once, each with its own reply", async () => {
    const judge = start({ workers: 2 });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        judge.judge(request([`SELECT ${index}`], [`SELECT ${index}.0`, "SELECT 50", "SELECT -1"])),
      ),
    );
    replies.forEach((reply, index) => {
      expect(summary(reply)).toEqual(["ok 1", index === 50 ? "ok 1" : "ok 0", "ok 0"]);
    });
    expect(judge.processIds().length).toBeLessThanOrEqual(2);
  });

  it("ends a query over its CPU limit as a wrong answer, and the others as they are", async () => {
    const judge = start();
    const [hostile, plain] = await Promise.all([
      judge.judge(request(["SELECT 1"], ["SELECT 1.0", ENDLESS, "SELECT 2"], { predictionLimits: SHORT })),
      judge.judge(request(["SELECT 3"], ["SELECT 3.0"])),
    ]);
    expect(summary(hostile)).toEqual(["ok 1", "timeout 0", "ok 0"]);
    expect(hostile.answers[1]?.execution.message).toBe("more than 150 ms of CPU time");
    expect(summary(plain)).toEqual(["ok 1"]);
  });

  it("sets a question aside when its gold is over its limit", async () => {
    const reply = await start().judge(request([ENDLESS], ["SELECT 1"], { goldLimits: SHORT }));
    expect(reply.gold[0]?.status).toBe("timeout");
    expect(summary(reply)).toEqual(["ok gold_timeout"]);
  });

  it("streams a result that is too large to hold", async () => {
    const reply = await start().judge(
      request(["SELECT 1 UNION SELECT 2 UNION SELECT 3"], [upTo(3), upTo(4), upTo(2)]),
    );
    expect(summary(reply)).toEqual(["too_large 1", "too_large 0", "too_large 0"]);
  });

  it("outlives memory bombs, and answers the next question", async () => {
    const judge = start({ limits: { memoryBytes: 800_000_000 } });
    const bomb = "SELECT group_concat(hex(randomblob(1000000))) FROM odd a, odd b, odd c, odd d, odd e";
    const pile = `WITH RECURSIVE r (i, t) AS (SELECT 1, hex(zeroblob(20000000)) UNION ALL SELECT i + 1, t || i FROM r LIMIT 400) SELECT i, t FROM r`;
    const reply = await judge.judge(
      request(["SELECT 1"], [bomb, pile], { predictionLimits: { ...LIMITS, cpuMs: 300, maxBytes: 2 ** 40 } }),
    );
    for (const { execution } of reply.answers) {
      expect(["error", "too_large", "crashed", "timeout"]).toContain(execution.status);
    }
    expect(summary(await judge.judge(request(["SELECT 1"], ["SELECT 1.0"])))).toEqual(["ok 1"]);
  });

  it("says that a worker died twice under an answer", async () => {
    const judge = start({ limits: { memoryBytes: 800_000_000 } });
    const wide = `SELECT ${Array.from({ length: 10 }, () => "hex(zeroblob(60000000))").join(", ")}`;
    const unlimited = { cpuMs: 60_000, maxRows: 1_000_000_000, maxBytes: 2 ** 50 };
    const reply = await judge.judge(
      request(["SELECT 1"], ["SELECT 1.0", wide], { predictionLimits: unlimited }),
    );
    expect(summary(reply)).toEqual(["ok 1", "crashed prediction_crashed"]);
  });

  it("has no verdict on rows for a database without a file", async () => {
    const reply = await start().judge(request(["SELECT 1"], ["SELECT 1"], { database: ferries("gone") }));
    expect(summary(reply)).toEqual(["error database_missing"]);
  });

  it("refuses a metric that there is not", async () => {
    await expect(start().judge(request(["SELECT 1"], [], { metrics: ["bird-exx"] }))).rejects.toMatchObject({
      code: "PLUG_UNKNOWN",
      hint: 'did you mean "bird-ex"?',
    });
  });

  it("runs on a copy of a database with a write-ahead log", async () => {
    const live = fixture.create("live.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    const writer = openConnection(live, { readOnly: false });
    writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (7)");
    const folder = path.join(fixture.folder, "wal");
    mkdirSync(folder);
    const logged = await copyDatabase(live, folder);
    writer.close();
    const judge = start({ databasePath: () => logged });
    const names = readdirSync(folder);
    expect(summary(await judge.judge(request(["SELECT 7"], ["SELECT a FROM t"])))).toEqual(["ok 1"]);
    const database = await judge.inspect({
      databaseId: "ferries",
      path: logged,
      described: null,
      valuesPerColumn: 1,
    });
    expect(database).toMatchObject({ status: "wal", rowCounts: [1] });
    expect(readdirSync(folder)).toEqual(names);
  });
});

describe("judge with rewritten statements", () => {
  const endless = `${ENDLESS}; SELECT 1`;

  async function verdicts(
    metric: string,
    gold: string,
    predictions: string[],
    options: Partial<SqlJudgeOptions> = {},
  ) {
    const reply = await start(options).judge(
      request([gold], predictions, { metrics: [metric], goldLimits: SHORT, predictionLimits: SHORT }),
    );
    return reply.answers.map((answer) => answer.verdicts[metric]);
  }

  it("judges what the metric has run, whatever became of the published statement", async () => {
    const gold = "SELECT DISTINCT day FROM crossing WHERE ferry_id > = 1; SELECT 1";
    const answers = [
      "SELECT day FROM crossing",
      "SELECT DISTINCT day FROM crossing",
      "DROP TABLE ferry",
      " ",
    ];
    expect(await verdicts("spider-ex", gold, answers)).toMatchObject([
      scored(1),
      scored(1),
      scored(0),
      { status: "unscored", reason: "official_crash" },
    ]);
    expect(await verdicts("spider-ex-keep-distinct", "SELECT DISTINCT day FROM crossing", answers)).toEqual([
      scored(0),
      scored(1),
      scored(0),
      scored(0),
    ]);
  });

  it("tries the gold's values in an answer", async () => {
    const gold = "SELECT name FROM ferry WHERE id = 3 AND name = 'Siskin'";
    const answers = [
      "SELECT name FROM ferry WHERE name = 'value' AND id = 7",
      "SELECT id FROM ferry WHERE id = 7",
    ];
    expect(await verdicts("spider-ex-plug-value", gold, answers)).toEqual([scored(1), scored(0)]);
    expect(await verdicts("spider-ex", gold, answers)).toEqual([scored(0), scored(0)]);
  });

  it("holds a rewritten statement to its limit, and leaves the others as they are", async () => {
    const judge = start();
    const metrics = ["spider-ex", "bird-ex"];
    const limits = { metrics, goldLimits: SHORT, predictionLimits: SHORT };
    const [answers, golds] = await Promise.all([
      judge.judge(request(["SELECT count(*) FROM ferry"], [endless, "SELECT 3", "SELECT 4"], limits)),
      judge.judge(request([endless], ["SELECT 1"], limits)),
    ]);
    expect(answers.answers.map((answer) => answer.verdicts)).toEqual([
      { "spider-ex": scored(0), "bird-ex": scored(0) },
      { "spider-ex": scored(1), "bird-ex": scored(1) },
      { "spider-ex": scored(0), "bird-ex": scored(0) },
    ]);
    expect(answers.answers[0]?.execution.status).toBe("denied");
    expect(golds.answers[0]?.verdicts).toMatchObject({
      "spider-ex": { status: "unscored", reason: "gold_timeout" },
      "bird-ex": { status: "unscored", reason: "gold_denied" },
    });
  }, 60_000);

  it("wants an answer right on every file of the database", async () => {
    const other = fixture.create("other.sqlite", FERRIES.replace("'Siskin', NULL", "'Siskin', 90.0"));
    const gold = "SELECT count(*) FROM ferry WHERE length > 50";
    const lucky = "SELECT count(*) FROM ferry WHERE id < 2";
    const databasePaths = () => [file, other];
    const right = `${gold} AND id > 0`;
    expect(await verdicts("spider-ex", gold, [lucky, right])).toEqual([scored(1), scored(1)]);
    expect(await verdicts("spider-ex", gold, [lucky, right], { databasePaths })).toEqual([
      scored(0),
      scored(1),
    ]);
    expect(await verdicts("bird-ex", gold, [lucky], { databasePaths })).toEqual([scored(1)]);
    const broken = () => [file, fixture.folder];
    expect(await verdicts("spider-ex", gold, ["SELECT 7", right], { databasePaths: broken })).toMatchObject([
      scored(0),
      { status: "unscored", reason: "database_unreadable" },
    ]);
  });
});

describe("inspect", () => {
  it("reads a database in a worker", async () => {
    const judge = start();
    const database = await judge.inspect({
      databaseId: "ferries",
      path: file,
      described: null,
      valuesPerColumn: 0,
    });
    expect(database).toMatchObject({ status: "ok", digest, rowCounts: [3, 3, 7], values: [] });
    expect(
      await judge.inspect({ databaseId: "x", path: null, described: null, valuesPerColumn: 0 }),
    ).toMatchObject({
      status: "missing",
    });
  });
});

describe("the worker processes", () => {
  it("are gone after close, and what waits is rejected", async () => {
    const judge = start();
    const running = judge.judge(request([ENDLESS], [], { goldLimits: { ...LIMITS, cpuMs: 600_000 } }));
    const refused = expect(running).rejects.toMatchObject({ code: "SQL_JUDGE_CLOSED" });
    while (judge.processIds().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const pids = judge.processIds();
    await judge.close();
    await refused;
    expect(pids.filter(isAlive)).toEqual([]);
    await expect(judge.judge(request(["SELECT 1"], []))).rejects.toMatchObject({ code: "SQL_JUDGE_CLOSED" });
  });

  it("end when the signal is aborted", async () => {
    const controller = new AbortController();
    const judge = start({ signal: controller.signal });
    await judge.judge(request(["SELECT 1"], []));
    const pids = judge.processIds();
    expect(pids).toHaveLength(1);
    controller.abort();
    await untilGone(pids);
  });

  it.skipIf(limitsReport().length > 0)(
    "die with a parent that is killed while they run a query",
    async () => {
      const parent = spawn(process.execPath, [path.join(import.meta.dirname, "judge-parent.mjs"), file], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, TMPDIR: fixture.folder },
      });
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pids = line.toString("utf8").trim().split(" ").map(Number);
      expect(pids).toHaveLength(2);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(pids.filter(isAlive)).toEqual(pids);
      parent.kill("SIGKILL");
      await untilGone(pids);
    },
  );
});
