import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { Example } from "../../../core/example.ts";
import { ScoredSample } from "../../../core/rows.ts";
import { Trajectory } from "../../../core/trajectory.ts";
import { mergeByExample } from "../../../curation/merge-by-example.ts";
import { readJsonLines } from "../../../io/jsonl.ts";
import { type EvaluatedFiles, evaluateFiles } from "../../../pipelines/evaluate-files.ts";
import { SILENT_REPORTER } from "../../../pipelines/reporter.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** What the official evaluators said of a pair of queries, by metric of ours. */
type Official = Record<string, number>;

const pairKey = (databaseId: string, gold: string, predicted: string): string =>
  JSON.stringify([databaseId, gold.trim(), predicted.trim()]);

/** The stable official verdicts of real systems' predictions. */
async function officialVerdicts(shared: string): Promise<Map<string, Official>> {
  const verdicts = new Map<string, Official>();
  const files = [
    ["ex_bird.jsonl", "ex", "bird-ex"],
    ["ex_testsuite.jsonl", "ex", "spider-ex"],
    ["spider_em.jsonl", "exact", "spider-em"],
  ] as const;
  for (const [file, field, metric] of files) {
    for await (const { value } of readJsonLines(path.join(shared, "vectors", file))) {
      const vector = value as Readonly<Record<string, unknown>>;
      const score = vector[field];
      if (typeof score !== "number" || vector["unstable"] === true) continue;
      const key = pairKey(String(vector["db_id"]), String(vector["gold"]), String(vector["pred"]));
      verdicts.set(key, { ...verdicts.get(key), [metric]: score });
    }
  }
  return verdicts;
}

/** How often judged answers agree with official verdicts, by metric, and where they do not. */
async function agreement(
  { parts }: EvaluatedFiles,
  official: ReadonlyMap<string, Official>,
): Promise<{ agreed: Record<string, number>; differences: unknown[] }> {
  const { store, result, examples } = parts;
  const artifact = (step: string) => {
    const found = result.artifacts.get(step);
    if (found === undefined) throw new Error(`no ${step}`);
    return found;
  };
  const agreed: Record<string, number> = {};
  const differences: unknown[] = [];
  const merged = mergeByExample(
    () => store.rows(artifact(examples.step), examples.port, Example),
    (example) => example.id,
    {
      samples: () => store.rows(artifact("score"), "samples", ScoredSample),
      trajectories: () => store.rows(artifact("import"), "trajectories", Trajectory),
    },
  );
  for await (const { leader, rows } of merged) {
    for (const [index, sample] of rows.samples.entries()) {
      const predicted = rows.trajectories[index]?.finalSql ?? "";
      const said = official.get(pairKey(leader.databaseId, leader.gold[0] ?? "", predicted)) ?? {};
      for (const [metric, score] of Object.entries(said)) {
        const verdict = sample.verdicts[metric];
        if (verdict === undefined || sample.execution?.status === "denied") continue;
        if (verdict.status === "scored" && verdict.score === score)
          agreed[metric] = (agreed[metric] ?? 0) + 1;
        else differences.push({ metric, score, verdict, predicted, gold: leader.gold[0] });
      }
    }
  }
  return { agreed, differences };
}

const SETS = [
  { folder: "spider_dev", dataset: "spider", split: "dev", files: 10, questions: 1034, executable: 972 },
  { folder: "bird_dev", dataset: "bird", split: "dev", files: 8, questions: 1534, executable: 287 },
  { folder: "bird_mini_dev", dataset: "bird", split: "mini_dev", files: 4, questions: 500, executable: 100 },
];

describeWithShared("published predictions against the official evaluators", (shared) => {
  it.each(SETS)("gives each file of $folder its table", async (set) => {
    const { folder, dataset, split, questions, executable } = set;
    const predictions = path.join(shared, "data/predictions", folder);
    const names = readdirSync(predictions).sort();
    expect(names).toHaveLength(set.files);
    const metrics = dataset === "bird" ? ["bird-ex"] : ["bird-ex", "spider-ex", "spider-em"];
    const evaluated = await evaluateFiles(
      {
        files: names.map((name) => path.join(predictions, name)),
        dataset,
        split,
        metrics,
        root: path.join(shared, "data", dataset),
        release: null,
        format: null,
        partial: false,
        golds: "unchecked",
        training: null,
        name: folder,
        command: "evaluate",
      },
      {
        roots: { dataRoot: null, configFolder: ".", runsFolder: await temporaryFolder() },
        workers: 2,
        reporter: SILENT_REPORTER,
        signal: new AbortController().signal,
      },
    );
    const { systems, golds } = evaluated.document;
    expect(systems.map(({ name }) => name)).toEqual(names);
    expect(golds.reasons).toEqual({ ok: executable, database_missing: questions - executable });
    for (const system of systems) {
      const all = system.accuracy.find((row) => row.group === "all" && row.metric === "bird-ex");
      expect(all).toMatchObject({
        n: executable,
        unexecutable: questions - executable,
        unscored: 0,
        missing: 0,
      });
      expect(system).toMatchObject({ questions, unexecutable: { database_missing: questions - executable } });
      expect(system.official.length).toBeGreaterThan(0);
      const { wrong, main } = system.errors;
      expect(Object.values(main).reduce((sum, count) => sum + count, 0)).toBe(wrong);
      expect(wrong).toBe(Math.round(executable * (1 - (all?.mean ?? 0))));
    }
    const { agreed, differences } = await agreement(evaluated, await officialVerdicts(shared));
    console.info(`${folder}: ${JSON.stringify(agreed)} agree with the official evaluators`);
    expect(differences.slice(0, 10)).toEqual([]);
    for (const metric of metrics) expect(agreed[metric] ?? 0).toBeGreaterThan(0);
  });
});
