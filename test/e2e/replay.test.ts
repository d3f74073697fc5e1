import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { countBy, falselyWhole, jsonLines, portRows, type RawRow, shardRows } from "./raw-run.ts";

const CONFIG = path.join(PROJECT_ROOT, "configs/spider-dev-replay.yaml");

interface Line {
  readonly name: string;
  readonly count: number;
  readonly depth: number;
}

interface Summary {
  readonly funnel: readonly Line[];
  readonly accuracy: readonly { readonly group: string; readonly system: string; readonly n: number }[];
  readonly systems: Readonly<Record<string, string>>;
}

describeWithShared("ten published systems on Spider dev", (shared) => {
  let runFolder: string;
  let finished: Finished;
  let summary: Summary;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const env = { GRADUS_DATA: path.join(shared, "data") };
    finished = await runGradus(["run", CONFIG, "--runs", folder, "--json"], { cwd: folder, env });
    runFolder = path.join(folder, "spider-dev-replay");
    summary = JSON.parse(finished.stdout) as Summary;
  });

  function count(name: string): number | undefined {
    return summary.funnel.find((line) => line.name === name)?.count;
  }

  it("has every question and every answer of the files", () => {
    expect(finished.status, finished.stderr).toBe(0);
    expect(count("questions")).toBe(1034);
    expect(count("database_missing")).toBe(62);
    expect(count("answers")).toBe(10_340);
    expect(portRows(runFolder, "load", "examples")).toHaveLength(1034);
    expect(portRows(runFolder, "score", "samples")).toHaveLength(10_340);
    expect(finished.stderr).toContain("wta_1");
  });

  it("judges each of the ten files on the 972 questions that can be run", () => {
    const all = summary.accuracy.filter((row) => row.group === "all");
    expect(all.map((row) => row.n)).toEqual(Array.from({ length: 10 }, () => 972));
    expect(new Set(Object.values(summary.systems)).size).toBe(10);
  });

  it("balances", () => {
    let left = 0;
    for (const { name, count: number, depth } of summary.funnel) {
      if (depth === 0) expect(left, `before ${name}`).toBe(0);
      left += depth === 0 ? number : -number;
    }
    expect(left).toBe(0);
    expect(falselyWhole(runFolder)).toEqual([]);
  });

  it("agrees with the official evaluator on every answer that it judged", () => {
    const official = new Map<string, unknown>();
    const pairs = jsonLines(path.join(shared, "vectors/ex_bird.jsonl"));
    for (const pair of pairs.filter((row) => row["unstable"] !== true)) {
      official.set(JSON.stringify([pair["db_id"], pair["gold"], pair["pred"]]), pair["ex"]);
    }
    const examples = new Map(portRows(runFolder, "load", "examples").map((row) => [row["id"], row]));
    const answers = new Map(
      portRows(runFolder, "import", "trajectories").map((row) => [row["id"], row["finalSql"]]),
    );
    const differing: unknown[] = [];
    const seen = new Set<string>();
    let compared = 0;
    for (const sample of portRows(runFolder, "score", "samples")) {
      const example = examples.get(sample["exampleId"]) as RawRow;
      const [gold] = example["gold"] as string[];
      const key = JSON.stringify([example["databaseId"], gold, answers.get(sample["trajectoryId"])]);
      if (!official.has(key)) continue;
      compared += 1;
      seen.add(key);
      const verdict = (sample["verdicts"] as Record<string, unknown>)["bird-ex"];
      const expected = { status: "scored", score: official.get(key) };
      if (JSON.stringify(verdict, ["status", "score"]) !== JSON.stringify(expected))
        differing.push([key, verdict]);
    }
    console.log(`${compared} answers compared, ${seen.size} distinct pairs, ${differing.length} differ`);
    expect(differing).toEqual([]);
    expect(compared).toBeGreaterThan(500);
  });

  it("writes a row for every kept question", async () => {
    const kept = portRows(runFolder, "filter", "kept").map((row) => String(row["exampleId"]));
    const rl = await shardRows(path.join(runFolder, "shards/verl-rl"));
    const sft = await shardRows(path.join(runFolder, "shards/messages-sft"));
    const rlIds = Object.values(rl)
      .flat()
      .map((row) => String((row["extra_info"] as RawRow)["example_id"]));
    expect([...rlIds].sort()).toEqual([...kept].sort());
    expect(count("kept")).toBe(kept.length);
    expect(rl["train"]).toHaveLength(
      countBy(portRows(runFolder, "order", "examples"), "split")["train"] ?? 0,
    );
    expect(Object.values(sft).flat()).toHaveLength(kept.length);
    expect(rl["train"]?.map((row) => (row["extra_info"] as RawRow)["simulated"])).not.toContain(true);
  });
});
