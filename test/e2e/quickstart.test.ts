import { mkdirSync, readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import {
  countBy,
  digestsBelow,
  falselyWhole,
  filesBelow,
  portRows,
  type RawRow,
  shardRows,
  stampsBelow,
  stepsOf,
} from "./raw-run.ts";

const CONFIG = path.join(PROJECT_ROOT, "configs/quickstart.yaml");

interface Line {
  readonly name: string;
  readonly count: number;
  readonly depth: number;
}

interface Summary {
  readonly steps: readonly { readonly id: string; readonly status: string }[];
  readonly funnel: readonly Line[];
  readonly shards: readonly string[];
}

let cwd: string;
let runFolder: string;
let first: Finished;
let summary: Summary;

beforeAll(async () => {
  cwd = await temporaryFolder();
  first = await runGradus(["run", CONFIG, "--runs", "kept-here", "--json"], { cwd });
  runFolder = path.join(cwd, "kept-here/quickstart");
  summary = JSON.parse(first.stdout) as Summary;
});

/** A total with its parts, zeros left out, parts in the order of their names. */
function block(name: string, total: number, parts: Readonly<Record<string, number>>): [Line, ...Line[]] {
  const lines = Object.entries(parts)
    .filter(([, count]) => count > 0)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([part, count]) => ({ name: part, count, depth: 1 }));
  return [{ name, count: total, depth: 0 }, ...lines];
}

/** The printed lines in blocks, as {@link block} writes them. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [];
  for (const line of lines) {
    if (line.depth === 0) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks.map(([head, ...parts]) =>
    block(
      head?.name ?? "",
      head?.count ?? 0,
      Object.fromEntries(parts.map((part) => [part.name, part.count])),
    ),
  );
}

async function shard(name: string): Promise<Record<string, RawRow[]>> {
  return shardRows(path.join(runFolder, "shards", name));
}

function lengths(rows: Readonly<Record<string, readonly RawRow[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([split, list]) => [split, list.length]));
}

describe("the funnel", () => {
  it("is what the files on disk add up to", async () => {
    expect(first.status, first.stderr).toBe(0);
    const loads = stepsOf(runFolder).filter((id) => id.startsWith("load-"));
    const loaded = loads.flatMap((id) => portRows(runFolder, id, "examples"));
    const unreadable = loads.flatMap((id) => portRows(runFolder, id, "rejects"));
    const kept = portRows(runFolder, "filter", "kept");
    const selected = portRows(runFolder, "select", "selected");
    expect(loads).toHaveLength(3);
    expect(blocksOf(summary.funnel)).toEqual([
      block("questions", loaded.length + unreadable.length, {
        unreadable: unreadable.length,
        ...countBy(portRows(runFolder, "filter", "dropped"), "reason"),
        kept: kept.length,
      }),
      block("kept questions", kept.length, countBy(portRows(runFolder, "order", "examples"), "split")),
      block("answers", portRows(runFolder, "sample", "trajectories").length, {
        ...countBy(portRows(runFolder, "select", "passedOver"), "reason"),
        chosen: selected.length,
      }),
      block("verl-rl rows", kept.length, lengths(await shard("verl-rl"))),
      block("messages-sft rows", selected.length, lengths(await shard("messages-sft"))),
    ]);
  });

  it("balances, line by line", () => {
    for (const [head, ...parts] of blocksOf(summary.funnel)) {
      expect(
        parts.reduce((sum, part) => sum + part.count, 0),
        head?.name,
      ).toBe(head?.count);
    }
  });

  it("has no question in two buckets and loses none", () => {
    const kept = portRows(runFolder, "filter", "kept").map((row) => String(row["exampleId"]));
    const dropped = portRows(runFolder, "filter", "dropped").map((row) => String(row["exampleId"]));
    const loaded = portRows(runFolder, "combine", "examples").map((row) => String(row["id"]));
    expect([...kept, ...dropped].sort()).toEqual([...loaded].sort());
    expect(new Set(loaded).size).toBe(loaded.length);
  });

  it("drops by the pass rates that the score samples have", () => {
    const cells = new Map<unknown, { n: number; c: number }>();
    for (const { exampleId, verdicts } of portRows(runFolder, "score", "samples")) {
      const cell = cells.get(exampleId) ?? { n: 0, c: 0 };
      const verdict = (verdicts as Record<string, { status: string; score?: number }>)["bird-ex"];
      if (verdict?.status === "scored") cell.n += 1;
      if (verdict?.score === 1) cell.c += 1;
      cells.set(exampleId, cell);
    }
    const expected: Record<string, string> = {};
    for (const { exampleId, reason } of portRows(runFolder, "score", "golds")) {
      const { n, c } = cells.get(exampleId) ?? { n: 0, c: 0 };
      const byRate = c === n ? "trivial" : c === 0 ? "intractable" : "kept";
      const judged = n === 0 ? "all_unscored" : byRate;
      expected[String(exampleId)] = reason === "ok" ? judged : String(reason);
    }
    const dropped = portRows(runFolder, "filter", "dropped").map((row) => [row["exampleId"], row["reason"]]);
    const kept = portRows(runFolder, "filter", "kept").map((row) => [row["exampleId"], "kept"]);
    expect(Object.fromEntries([...dropped, ...kept])).toEqual(expected);
    for (const { exampleId, n, c } of portRows(runFolder, "filter", "kept")) {
      expect({ n, c }).toEqual(cells.get(exampleId));
    }
  });

  it("ends in shards that hold exactly the kept questions and the chosen answers", async () => {
    const ordered = portRows(runFolder, "order", "examples");
    const rl = await shard("verl-rl");
    for (const split of ["train", "validation"]) {
      const ids = rl[split]?.map((row) => String((row["extra_info"] as RawRow)["example_id"]));
      expect(ids).toEqual(ordered.filter((row) => row["split"] === split).map((row) => row["exampleId"]));
    }
    const counts = lengths(await shard("messages-sft"));
    expect(counts).toEqual(countBy(portRows(runFolder, "select", "selected"), "split"));
  });

  it("keeps each database whole on one side of the split", () => {
    const sides = new Map<unknown, Set<unknown>>();
    for (const { databaseId, split } of portRows(runFolder, "split", "examples")) {
      sides.set(databaseId, (sides.get(databaseId) ?? new Set()).add(split));
    }
    for (const [databaseId, splits] of sides) expect(splits.size, String(databaseId)).toBe(1);
  });
});

describe("simulated answers", () => {
  it("are marked in every row of every shard, and told", async () => {
    const rl = Object.values(await shard("verl-rl")).flat();
    const sft = Object.values(await shard("messages-sft")).flat();
    expect(rl.map((row) => (row["extra_info"] as RawRow)["simulated"])).toEqual(rl.map(() => true));
    expect(sft.map((row) => row["simulated"])).toEqual(sft.map(() => true));
    expect(first.stderr).toContain(`verl-rl: ${rl.length} of ${rl.length} rows (100.0 %) were shaped by a`);
    expect(first.stderr).toContain(`messages-sft: ${sft.length} of ${sft.length} rows (100.0 %)`);
    for (const name of ["verl-rl", "messages-sft"]) {
      const card = readFileSync(path.join(runFolder, "shards", name, "README.md"), "utf8");
      expect(card).toContain("do not train on them");
    }
  });
});

describe("a second run", () => {
  it("executes nothing and writes no artifact or shard", async () => {
    const before = {
      ...stampsBelow(path.join(runFolder, "artifacts")),
      ...stampsBelow(path.join(runFolder, "shards")),
    };
    const second = await runGradus(["run", CONFIG, "--runs", "kept-here", "--json"], { cwd });
    const after = {
      ...stampsBelow(path.join(runFolder, "artifacts")),
      ...stampsBelow(path.join(runFolder, "shards")),
    };
    const { steps, funnel } = JSON.parse(second.stdout) as Summary;
    expect(second.status, second.stderr).toBe(0);
    expect(steps.filter((step) => step.status !== "reused")).toEqual([]);
    expect(steps.length).toBeGreaterThan(15);
    expect(funnel).toEqual(summary.funnel);
    expect(after).toEqual(before);
    expect(falselyWhole(runFolder)).toEqual([]);
  });
});

describe("the bytes of the shards", () => {
  const places = [
    { workers: "1", env: { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8" } },
    { workers: "8", env: { TZ: "America/Adak", LC_ALL: "C" } },
  ];

  it.each(places)("are the same elsewhere with $workers workers", async ({ workers, env }) => {
    const folder = await temporaryFolder();
    const elsewhere = path.join(folder, "a longer way", "to another place");
    mkdirSync(elsewhere, { recursive: true });
    const args = ["run", CONFIG, "--runs", path.join(folder, "runs"), "--workers", workers, "--json"];
    const finished = await runGradus(args, { cwd: elsewhere, env });
    expect(finished.status, finished.stderr).toBe(0);
    const digests = digestsBelow(path.join(folder, "runs/quickstart/shards"));
    expect(Object.keys(digests)).toEqual([
      "messages-sft/README.md",
      "messages-sft/checksums.sha256",
      "messages-sft/manifest.json",
      "messages-sft/recipe.lock.yaml",
      "messages-sft/train-00000-of-00001.jsonl",
      "messages-sft/validation-00000-of-00001.jsonl",
      "verl-rl/README.md",
      "verl-rl/checksums.sha256",
      ...["dualsql", "mtsql-r1", "retool-sql", "sql-trail"].map(
        (paper) => `verl-rl/launch/verl-grpo-${paper}.sh`,
      ),
      "verl-rl/manifest.json",
      "verl-rl/recipe.lock.yaml",
      "verl-rl/train-00000-of-00001.parquet",
      "verl-rl/validation-00000-of-00001.parquet",
    ]);
    expect(digests).toEqual(digestsBelow(path.join(runFolder, "shards")));
    expect(filesBelow(elsewhere)).toEqual([]);
  });

  it("name no path, host, user or day of this machine", async () => {
    const rows = [...Object.values(await shard("verl-rl")), ...Object.values(await shard("messages-sft"))];
    const shards = path.join(runFolder, "shards");
    const files = filesBelow(shards).map((name) => readFileSync(path.join(shards, name), "latin1"));
    const manifests = filesBelow(path.join(runFolder, "artifacts"))
      .filter((name) => name.endsWith("manifest.json"))
      .map((name) => readFileSync(path.join(runFolder, "artifacts", name), "utf8"));
    const texts = [...rows.map((list) => JSON.stringify(list)), ...files, ...manifests];
    const today = new Date().toISOString().slice(0, 10);
    for (const text of texts) {
      expect(text).not.toContain(PROJECT_ROOT);
      expect(text).not.toContain(cwd);
      expect(text).not.toContain(userInfo().homedir);
      expect(text).not.toMatch(/["' ]\/(tmp|home|root|Users|var)\//);
      expect(text).not.toContain(today);
    }
    const year = new RegExp(`\\b${today.slice(0, 4)}\\b`);
    const host = new RegExp(`\\b${hostname()}\\b`);
    const written = filesBelow(shards).filter((name) => /manifest\.json$|README\.md$/.test(name));
    for (const text of [
      ...written.map((name) => readFileSync(path.join(shards, name), "utf8")),
      ...manifests,
    ]) {
      expect(text).not.toMatch(year);
      expect(text).not.toMatch(host);
    }
  });

  it("are those that checksums.sha256 lists", () => {
    for (const name of ["verl-rl", "messages-sft"]) {
      const folder = path.join(runFolder, "shards", name);
      const listed = readFileSync(path.join(folder, "checksums.sha256"), "utf8").trimEnd().split("\n");
      const digests = digestsBelow(folder);
      for (const line of listed) expect(digests[line.slice(66)]).toBe(line.slice(0, 64));
      expect(listed.length).toBeGreaterThanOrEqual(2);
    }
  });
});

function cellOf(row: RawRow): string {
  return JSON.stringify([row["setting"], row["sampleIndex"]]);
}

describe("the accuracy table", () => {
  it("is the mean of the scored samples of each setting and sample index", () => {
    const sums = new Map<string, { n: number; sum: number }>();
    for (const sample of portRows(runFolder, "score", "samples")) {
      const verdict = (sample["verdicts"] as Record<string, { status: string; score?: number }>)["bird-ex"];
      if (verdict?.status !== "scored") continue;
      const cell = sums.get(cellOf(sample)) ?? { n: 0, sum: 0 };
      sums.set(cellOf(sample), { n: cell.n + 1, sum: cell.sum + (verdict.score ?? 0) });
    }
    const all = portRows(runFolder, "accuracy", "table").filter((row) => row["group"] === "all");
    expect(all).toHaveLength(sums.size);
    for (const row of all) {
      const cell = sums.get(cellOf(row));
      expect(row["n"]).toBe(cell?.n);
      expect(row["mean"]).toBeCloseTo((cell?.sum ?? 0) / (cell?.n ?? 1), 12);
    }
  });
});
