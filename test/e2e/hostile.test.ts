import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { Execution } from "../../core/execution.ts";
import { sha256 } from "../../core/key.ts";
import { SeededRandom } from "../../core/random.ts";
import { processCpuMicros } from "../../io/process-limits.ts";
import { openConnection } from "../../io/sql-driver.ts";
import { createSqlJudge } from "../../pipelines/sql-judge.ts";
import type { SqlJudge } from "../../pipelines/sql-judge.ts";
import { untilGone } from "../io/process-state.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT } from "./gradus-process.ts";
import { BOMBS } from "./hostile-bombs.ts";
import { makeHostileDatabases, TRAPS } from "./hostile-databases.ts";
import { READS } from "./hostile-reads.ts";
import type { HostileDatabase, HostileStatement } from "./hostile-statement.ts";
import { WRITES } from "./hostile-writes.ts";

const STATEMENTS = [...WRITES, ...READS, ...BOMBS, ...TRAPS];
const DRIVERS = ["query", "explore", "judge"] as const;
const RUNS = Number(process.env.GRADUS_HOSTILE_RUNS ?? 2000);
const SEED = 20_260_101;
/** After every statement ran on every driver once, one in so many is one that runs up to a limit. */
const HEAVY_EVERY = 25;

const LIMITS = { cpuMs: 200, maxRows: 1000, maxBytes: 100_000 };
const PROCESS_LIMITS = { memoryBytes: 400 * 2 ** 20, fileBytes: 32 * 2 ** 20 };

/** CPU time that one statement may cost in all: two runs up to the limit and three starts, with much to spare. */
const MOST_CPU_MICROS = 4_000_000;
/** Two attempts of twenty seconds and more by the size of the file, with much to spare. */
const MOST_INSPECTION_CPU_MICROS = 60_000_000;
const MOST_MEMORY_GROWTH_BYTES = 200 * 2 ** 20;
const MOST_MESSAGE_CHARACTERS = 1001;

const SECRETS = ["canary-of-text-7f3a", "canary-of-rows-91bc"];
const HONEST = "SELECT name FROM shop ORDER BY id";
const HONEST_TOO = "SELECT name FROM shop ORDER BY id DESC";

interface Run {
  readonly statement: HostileStatement;
  readonly driver: (typeof DRIVERS)[number];
}

let folder: string;
let files: Readonly<Record<HostileDatabase, string>>;
let before: Readonly<Record<string, string>>;
let judge: SqlJudge;
const home = process.cwd();
const temporary = process.env.TMPDIR;

beforeAll(async () => {
  folder = await temporaryFolder({ "here/canary.txt": `${SECRETS[0]}\n`, "databases/note.txt": "" });
  files = makeHostileDatabases(path.join(folder, "databases"));
  const canary = openConnection(path.join(folder, "here/canary.sqlite"), { readOnly: false });
  canary.exec(`CREATE TABLE secret (word TEXT); INSERT INTO secret VALUES ('${SECRETS[1]}')`);
  canary.close();
  before = await digests();
  mkdirSync(path.join(folder, "temporary"));
  process.env.TMPDIR = path.join(folder, "temporary");
  process.chdir(path.join(folder, "here"));
  judge = createSqlJudge({
    workers: 1,
    databasePath: (id) => files[id as HostileDatabase],
    limits: PROCESS_LIMITS,
  });
});

afterAll(async () => {
  process.chdir(home);
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await judge.close();
});

async function digests(): Promise<Record<string, string>> {
  const found = Object.entries(await filesBelow(folder)).filter(([name]) => !name.startsWith("temporary/"));
  return Object.fromEntries(found.map(([name, content]) => [name, sha256(content)]));
}

function database(databaseId: HostileDatabase): Database {
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

function query(sql: string, mode: "query" | "explore", on: HostileDatabase) {
  const shown = { maxShownRows: 5, maxCellCharacters: 100 };
  return judge.query({ database: database(on), sql, mode, limits: LIMITS, ...shown });
}

/** What a run gave, all of it, and its execution. */
async function perform({ statement, driver }: Run): Promise<{ execution: Execution; all: string }> {
  if (driver !== "judge") {
    const reply = await query(statement.sql, driver, statement.database);
    return { execution: reply.execution, all: JSON.stringify(reply) };
  }
  const reply = await judge.judge({
    database: database(statement.database),
    gold: [HONEST],
    predictions: [statement.sql, HONEST_TOO],
    metrics: ["bird-ex"],
    goldLimits: LIMITS,
    predictionLimits: LIMITS,
  });
  const [answer, honest] = reply.answers;
  expect(honest?.verdicts["bird-ex"], statement.sql.slice(0, 200)).toMatchObject({
    status: "scored",
    score: 1,
  });
  return { execution: answer?.execution as Execution, all: JSON.stringify(reply) };
}

/** Every statement on every driver, in a seeded order, then as many as are asked for. */
function schedule(): Run[] {
  const random = new SeededRandom(SEED, "hostile runs");
  const every = STATEMENTS.flatMap((statement) => DRIVERS.map((driver) => ({ statement, driver })));
  const runs = random.shuffle(every).slice(0, RUNS);
  const heavy = every.filter(({ statement }) => statement.heavy);
  const light = every.filter(({ statement }) => !statement.heavy);
  while (runs.length < RUNS) runs.push(random.pick(random.integer(HEAVY_EVERY) === 0 ? heavy : light) as Run);
  return runs;
}

/** CPU time of the workers, dead and alive, microseconds. */
function workersCpuMicros(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const dead = (Number(fields[13]) + Number(fields[14])) * 10_000;
  return judge.processIds().reduce((sum, pid) => sum + (processCpuMicros(pid) ?? 0), dead);
}

/** A path of this machine in a text that came back. */
function pathIn(text: string): string | undefined {
  const own = [folder, PROJECT_ROOT, process.execPath, "gradus-sql-"].find((part) => text.includes(part));
  return own ?? /\/(?:bin|etc|home|lib|opt|proc|root|tmp|usr|var|work)\/[\w.-]*/.exec(text)?.[0];
}

/** What is wrong with how a run ended; empty when nothing is. */
function complaints({ statement, driver }: Run, execution: Execution, all: string): string[] {
  const allowed = driver === "explore" ? (statement.explored ?? statement.outcomes) : statement.outcomes;
  const found = pathIn(all);
  return [
    ...(allowed.includes(execution.status) ? [] : [`${execution.status}, expected ${allowed.join(" or ")}`]),
    ...(SECRETS.some((secret) => all.includes(secret)) ? ["it read a canary"] : []),
    ...(found === undefined ? [] : [`it names ${found}`]),
    ...(execution.message.length > MOST_MESSAGE_CHARACTERS ? ["its message is long"] : []),
  ];
}

describe("hostile statements", () => {
  it("are many, each of them once", () => {
    expect(STATEMENTS.length).toBeGreaterThan(500);
    expect(new Set(STATEMENTS.map(({ sql, database: on }) => `${on} ${sql}`)).size).toBe(STATEMENTS.length);
  });

  it.skipIf(process.platform !== "linux")(
    `end as expected and leave nothing behind, ${RUNS} of them`,
    async () => {
      const runs = schedule();
      const wrong: string[] = [];
      let memoryBytes = 0;
      for (const [index, run] of runs.entries()) {
        if (index === Math.floor(runs.length / 4)) memoryBytes = process.memoryUsage().rss;
        const cpu = workersCpuMicros();
        const { execution, all } = await perform(run);
        const used = workersCpuMicros() - cpu;
        const found = complaints(run, execution, all);
        if (used > MOST_CPU_MICROS) found.push(`${used} microseconds of CPU time`);
        const honest = await query(HONEST, "query", "shop");
        if (JSON.stringify(honest.rows) !== '[["Ada"],["Bo"],[null]]') found.push("the next one went wrong");
        const { database: on, sql } = run.statement;
        if (found.length > 0) wrong.push(`${run.driver} ${on} ${sql.slice(0, 120)}: ${found.join(", ")}`);
      }
      expect(wrong).toEqual([]);
      expect(process.memoryUsage().rss - memoryBytes).toBeLessThan(MOST_MEMORY_GROWTH_BYTES);
      expect(await digests()).toEqual(before);
    },
    3_600_000,
  );

  it.runIf(RUNS > 2000)(
    "in a schema, or pages without end, make a database unreadable in a time of its size",
    async () => {
      for (const id of ["trap", "loop"] as const) {
        const request = { databaseId: id, path: files[id], described: null, valuesPerColumn: 3 };
        const cpu = workersCpuMicros();
        expect(await judge.inspect(request)).toMatchObject({ status: "corrupt" });
        expect(workersCpuMicros() - cpu).toBeLessThan(MOST_INSPECTION_CPU_MICROS);
      }
    },
    600_000,
  );

  it("leave no process and no temporary file behind", async () => {
    const pids = judge.processIds();
    expect(pids.length).toBeGreaterThan(0);
    await judge.close();
    await untilGone(pids);
    expect(readdirSync(path.join(folder, "temporary"))).toEqual([]);
    expect(await digests()).toEqual(before);
  });

  it.skipIf(process.platform !== "linux")("do not outlive a parent that is killed", async () => {
    const script = path.join(PROJECT_ROOT, "test/pipelines/judge-parent.mjs");
    const parent = spawn(process.execPath, [script, files.shop], { stdio: ["ignore", "pipe", "inherit"] });
    const [printed] = (await once(parent.stdout, "data")) as [Buffer];
    const pids = printed.toString().trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    parent.kill("SIGKILL");
    await untilGone([...pids, parent.pid as number]);
    expect(await digests()).toEqual(before);
  });
});
