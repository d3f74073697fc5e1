import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Manifest } from "../../core/artifact.ts";
import { type Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import { funnelOf } from "../../pipelines/funnel.ts";
import type { RunResult } from "../../pipelines/runner.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type PortRows = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** An artifact by the rows of its ports: a number, or numbers by group. The digest of a port is its name. */
function artifact(step: string, ports: PortRows, inputs: Readonly<Record<string, string>> = {}): Artifact {
  const outputs = Object.fromEntries(
    Object.entries(ports).map(([port, rows]) => {
      const groups = typeof rows === "number" ? {} : rows;
      const total =
        typeof rows === "number" ? rows : Object.values(rows).reduce((sum, count) => sum + count, 0);
      return [port, { rows: total, digest: `${step}.${port}`, groups }];
    }),
  );
  const manifest: Manifest = {
    gradus: 1,
    stage: step,
    version: 1,
    key: "0".repeat(64),
    seed: 1,
    options: {},
    plugs: [],
    inputs: { ...inputs },
    sources: [],
    outputs,
    files: [],
  };
  return { manifest, folder: "" };
}

function resultOf(artifacts: Readonly<Record<string, Artifact>>): RunResult {
  return { steps: [], artifacts: new Map(Object.entries(artifacts)) };
}

/** An export step that was fed `rows-rl.rows` and wrote the given files. */
async function exported(files: readonly (readonly [string, number])[], rejects = 0): Promise<Artifact> {
  const folder = await temporaryFolder();
  const lines = files.map(([split, rows], index) =>
    JSON.stringify({ exporter: "verl-rl", split, path: `${index}`, rows, bytes: 1, sha256: "0".repeat(64) }),
  );
  await writeFile(path.join(folder, "files.jsonl"), lines.map((line) => `${line}\n`).join(""));
  const { manifest } = artifact("export-verl-rl", { files: files.length, rejects }, { rows: "rows-rl.rows" });
  return { manifest, folder };
}

const STORE = new ArtifactStore("");

async function linesOf(artifacts: Readonly<Record<string, Artifact>>): Promise<string[]> {
  const lines = await funnelOf(resultOf(artifacts), STORE);
  return lines.map(({ name, count, depth }) => `${"  ".repeat(depth)}${name} ${count}`);
}

const LOADED = {
  "load-0": artifact("load-0", { examples: 60, rejects: 2, schemas: 3 }),
  "load-1": artifact("load-1", { examples: 40, rejects: 0, schemas: 3 }),
};
const FILTERED = artifact("filter", { kept: 50, dropped: { trivial: 30, intractable: 15, gold_error: 5 } });

describe("funnelOf", () => {
  it("follows every question and every answer to the shards", async () => {
    const artifacts = {
      ...LOADED,
      score: artifact("score", { samples: 800, golds: 100 }),
      filter: FILTERED,
      order: artifact("order", { examples: { train: 45, validation: 5 } }),
      select: artifact("select", { selected: 70, passedOver: { wrong: 500, duplicate_sql: 230 } }),
      "rows-rl": artifact("rows-rl", { rows: { train: 45, validation: 5 } }),
      "export-verl-rl": await exported(
        [
          ["train", 40],
          ["train", 4],
          ["validation", 5],
        ],
        1,
      ),
    };
    expect(await linesOf(artifacts)).toEqual([
      "questions 102",
      "  unreadable 2",
      "  trivial 30",
      "  intractable 15",
      "  gold_error 5",
      "  kept 50",
      "kept questions 50",
      "  train 45",
      "  validation 5",
      "answers 800",
      "  wrong 500",
      "  duplicate_sql 230",
      "  chosen 70",
      "verl-rl rows 50",
      "  refused by the exporter 1",
      "  train 44",
      "  validation 5",
    ]);
  });

  it("goes as far as the run went", async () => {
    expect(await linesOf({})).toEqual([]);
    expect(await linesOf(LOADED)).toEqual(["questions 102", "  unreadable 2", "  loaded 100"]);
    expect(await linesOf({ load: artifact("load", { examples: 3, rejects: 0 }) })).toEqual([
      "questions 3",
      "  unreadable 0",
      "  loaded 3",
    ]);
  });

  it.each<[string, Record<string, Artifact>, string]>([
    [
      "a question that the filter lost",
      { ...LOADED, filter: artifact("filter", { kept: 50, dropped: { trivial: 49 } }) },
      "102 questions, but their parts sum to 101",
    ],
    [
      "a kept question without a place",
      { ...LOADED, filter: FILTERED, order: artifact("order", { examples: { train: 45 } }) },
      "50 kept questions, but their parts sum to 45",
    ],
    [
      "an answer that was counted twice",
      {
        score: artifact("score", { samples: 8 }),
        select: artifact("select", { selected: 5, passedOver: { wrong: 4 } }),
      },
      "8 answers, but their parts sum to 9",
    ],
  ])("refuses %s", async (_, artifacts, message) => {
    await expect(linesOf(artifacts)).rejects.toMatchObject({
      code: "FUNNEL_UNBALANCED",
      message: `the funnel does not balance: ${message}`,
    });
  });

  it("refuses a shard that lacks a row", async () => {
    const artifacts = {
      "rows-rl": artifact("rows-rl", { rows: 10 }),
      "export-verl-rl": await exported([["train", 9]]),
    };
    await expect(linesOf(artifacts)).rejects.toMatchObject({
      code: "FUNNEL_UNBALANCED",
      message: "the funnel does not balance: 10 verl-rl rows, but their parts sum to 9",
    });
  });
});
