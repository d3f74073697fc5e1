import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { labelledPairs, rightAndWrong } from "../../bench/labelled-pairs.ts";
import type { AuditedExample } from "../../core/audit.ts";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";

interface PlantedError {
  readonly file: string;
  readonly index: number;
  readonly kind: string;
}

interface Listed {
  readonly totals: { readonly statuses: Readonly<Record<string, number>>; readonly flagged: number };
  readonly examples: readonly AuditedExample[];
}

async function list(args: readonly string[], cwd?: string): Promise<Listed> {
  const finished = await runGradus(
    ["audit", "list", "--workers", "2", "--json", ...args],
    cwd === undefined ? {} : { cwd },
  );
  expect(finished.status, finished.stderr).toBe(0);
  return JSON.parse(finished.stdout) as Listed;
}

function json(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(path.join(...parts), "utf8"));
}

describe("audit of the sample dataset", () => {
  it("flags most planted errors, and nothing else, without a sample", async () => {
    const cwd = await temporaryFolder();
    const planted = json(PROJECT_ROOT, "datasets/sample/planted-errors.json") as PlantedError[];
    const found: string[] = [];
    for (const [loader, file] of [
      ["spider", "spider/train_spider.json"],
      ["bird", "bird/train/train.json"],
    ] as const) {
      const { examples } = await list(
        ["--dataset", loader, "--root", `sample:${loader}`, "--split", "train"],
        cwd,
      );
      const flagged = examples.filter((row) => row.flagged).map(({ sourceId }) => Number(sourceId));
      const wrong = planted.filter((error) => error.file === file).map(({ index }) => index);
      found.push(...flagged.map((index) => `${file} ${wrong.includes(index)}`));
    }
    const right = found.filter((one) => one.endsWith("true")).length;
    expect(found.length - right).toBeLessThanOrEqual(1);
    expect(right).toBeGreaterThanOrEqual(19);
  });

  it("asks a judge of its own for opinions, and nothing twice", async () => {
    const cwd = await temporaryFolder({
      "judge.yaml": JSON.stringify({
        gradus: 1,
        name: "judged",
        datasets: [{ loader: "spider", root: "sample:spider", split: "train" }],
        models: { judge: { provider: "simulated", name: "simulated-judge" } },
        answers: { import: [{ model: { name: "student" }, files: ["./none.txt"] }] },
      }),
    });
    const args = [
      "--dataset",
      "spider",
      "--root",
      "sample:spider",
      "--split",
      "train",
      "--checks",
      "gold-runs",
    ];
    const first = await list([...args, "--judge-voters", "2", "--config", "judge.yaml"], cwd);
    const judged = first.examples.filter(({ findings }) =>
      findings.some(({ check }) => check === "llm-judge"),
    );
    expect(judged.map(({ sourceId }) => sourceId)).toContain("53");
    const ledger = new SqliteDatabase(path.join(cwd, "runs/.audit/judge-ledger.sqlite"), { readonly: true });
    const turns = () => ledger.prepare("SELECT count(*) FROM turns").pluck().get();
    const paid = turns();
    expect(await list([...args, "--judge-voters", "2", "--config", "judge.yaml"], cwd)).toEqual(first);
    expect(turns()).toBe(paid);
    ledger.close();
  });
});

describeWithShared("audit of published data", (shared) => {
  const data = path.join(shared, "data");
  const bird = path.join(data, "bird");
  const databases = path.join(bird, "dev/dev_databases");

  it("ranks what BIRD's authors later changed among its first findings", async () => {
    const votes = readdirSync(path.join(data, "predictions/bird_dev")).map((name) =>
      path.join(data, "predictions/bird_dev", name),
    );
    const root = path.join(bird, "dev_2023_original");
    const dataset = ["--dataset", "bird", "--root", root, "--split", "dev", "--databases", databases];
    const { totals, examples } = await list([...dataset, "--predictions", ...votes]);
    expect(totals.statuses).toEqual({ audited: 287, database_missing: 1247 });
    const changed = changedResults(root, path.join(bird, "dev"), databases);
    expect(changed.size).toBe(16);
    const first = examples.slice(0, 30).filter(({ sourceId }) => changed.has(sourceId));
    expect(first.length).toBeGreaterThanOrEqual(14);
  });

  it.each([
    [false, 0.9, 0.6],
    [true, 0.9, 0.85],
  ])(
    "finds wrong pairs; with votes %s: precision from %f, recall from %f",
    async (withVotes, precision, recall) => {
      const { labels, rows } = await labelledPairs(shared, withVotes);
      const flagged = new Set(rows.filter((row) => row.flagged).map(({ sourceId }) => sourceId));
      const { wrong } = rightAndWrong(labels, flagged);
      const all = [...labels.values()].filter(({ label }) => !label).length;
      expect([labels.size, all]).toEqual([317, 76]);
      expect(wrong / flagged.size).toBeGreaterThanOrEqual(precision);
      expect(wrong / all).toBeGreaterThanOrEqual(recall);
    },
  );

  it("looks at every Spider train gold that has a database", async () => {
    const root = path.join(data, "spider");
    const { totals } = await list(["--dataset", "spider", "--root", root, "--split", "train"]);
    expect(totals.statuses).toEqual({ audited: 6904, database_missing: 96 });
    expect(totals.flagged / 6904).toBeLessThan(0.07);
  });
});

/** Ids of the questions whose gold gives another set of rows in the later release; this reads both, the auditor one. */
function changedResults(before: string, after: string, databases: string): Set<string> {
  interface Row {
    readonly question_id: number;
    readonly db_id: string;
    readonly SQL: string;
  }
  const later = new Map((json(after, "dev.json") as Row[]).map((row) => [row.question_id, row.SQL]));
  const open = new Map(
    readdirSync(databases).map((name) => {
      const file = path.join(databases, name, `${name}.sqlite`);
      return [name, new SqliteDatabase(file, { readonly: true })] as const;
    }),
  );
  const changed = (json(before, "dev.json") as Row[]).filter(({ question_id, db_id, SQL }) => {
    const database = open.get(db_id);
    if (database === undefined) return false;
    const rowsOf = (sql: string): string => {
      const rows = database
        .prepare(sql)
        .raw()
        .all()
        .map((row) => JSON.stringify(row));
      return [...new Set(rows)].sort().join("\n");
    };
    return rowsOf(SQL) !== rowsOf(later.get(question_id) ?? "");
  });
  for (const database of open.values()) database.close();
  return new Set(changed.map(({ question_id }) => String(question_id)));
}
