import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { countBy, portRows, shardRows } from "./raw-run.ts";
import { summaryOf } from "./sampling-run.ts";

const RECIPES = ["dualsql", "sql-trail", "retool-sql", "mtsql-r1"];
/** Samples of a rollout here: the recipes take up to 32. */
const MOST_SAMPLES = 3;

interface Recipe {
  readonly datasets: readonly Readonly<Record<string, unknown>>[];
  readonly answers: { readonly rollouts: readonly { readonly samples: number; readonly scaffold: string }[] };
  readonly filter: Readonly<Record<string, unknown>>;
}

/** A recipe as it stands but for fewer samples and, where given, other datasets. */
async function smallRecipe(
  name: string,
  datasets?: Recipe["datasets"],
): Promise<{ folder: string; recipe: Recipe }> {
  const file = path.join(PROJECT_ROOT, "configs", `${name}.yaml`);
  const recipe = parse(readFileSync(file, "utf8")) as Recipe;
  const few = (count: unknown): number => Math.min(Number(count), MOST_SAMPLES);
  const bounds = ["trivial", "intractable"].map((bound) => {
    const rule = recipe.filter[bound] as { readonly minimumN: number } | null;
    return [bound, rule && { ...rule, minimumN: few(rule.minimumN) }];
  });
  const small: Recipe = {
    ...recipe,
    datasets: datasets ?? recipe.datasets,
    answers: {
      ...recipe.answers,
      rollouts: recipe.answers.rollouts.map((rollout) => ({ ...rollout, samples: few(rollout.samples) })),
    },
    filter: { ...recipe.filter, ...Object.fromEntries(bounds) },
  };
  const folder = await temporaryFolder();
  writeFileSync(path.join(folder, "run.json"), JSON.stringify(small));
  return { folder, recipe: small };
}

async function expectShards(name: string, datasets?: Recipe["datasets"], dataRoot?: string): Promise<void> {
  const { folder, recipe } = await smallRecipe(name, datasets);
  const args = ["run", "run.json", "--json", ...(dataRoot === undefined ? [] : ["--data", dataRoot])];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  const runFolder = path.join(folder, "runs", name);
  const { funnel } = summaryOf(finished);
  const count = (line: string): number => funnel.find((row) => row.name === line)?.count ?? 0;
  expect(count("kept")).toBeGreaterThan(0);
  const trajectories = portRows(runFolder, "sample", "trajectories");
  expect(trajectories).toHaveLength(count("answers"));
  const scaffolds = trajectories.map(({ scaffold }) => ({ id: (scaffold as { readonly id: string }).id }));
  expect(Object.keys(countBy(scaffolds, "id")).sort()).toEqual(
    [...new Set(recipe.answers.rollouts.map(({ scaffold }) => scaffold))].sort(),
  );
  for (const exporter of ["verl-rl", "messages-sft"]) {
    const rows = await shardRows(path.join(runFolder, "shards", exporter));
    expect(Object.values(rows).flat()).toHaveLength(count(`${exporter} rows`));
    expect(count(`${exporter} rows`)).toBeGreaterThan(0);
  }
  const again = await runGradus(args, { cwd: folder });
  expect(summaryOf(again).steps.filter(({ status }) => status === "ran")).toEqual([]);
}

describe("a recipe on the sample dataset", () => {
  it.each(RECIPES)("%s runs to shards, and a second time nothing", (name) => expectShards(name));
});

/** Real databases: few questions, since each of the four recipes asks all of them. */
const REAL: readonly Readonly<Record<string, unknown>>[] = [
  { loader: "spider", root: "spider", split: "dev", limit: 12 },
  { loader: "sparc", root: "sparc", split: "dev", limit: 8 },
  { loader: "cosql", root: "cosql", split: "dev", limit: 8 },
  { loader: "bird", root: "bird", split: "dev", limit: 8 },
];

describeWithShared("a recipe on the databases of Spider, SParC, CoSQL and BIRD", (shared) => {
  it.each(RECIPES)("%s runs to shards", (name) => expectShards(name, REAL, path.join(shared, "data")));
});
