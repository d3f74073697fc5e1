import path from "node:path";
import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { placesOf } from "../../pipelines/curriculum-places.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { runTrainingSet } from "../../pipelines/run-training-set.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const config = parseRunConfig(
  {
    gradus: 1,
    name: "places",
    seed: 3,
    datasets: [{ loader: "spider", root: "sample:spider", split: "test" }],
    models: { student: { provider: "simulated", name: "student", competence: 0.6 } },
    answers: { rollouts: [{ model: "student", scaffold: "single-turn", samples: 4 }] },
  },
  "places.yaml",
);

it("every loaded question has a place, once the curriculum is made", async () => {
  const runsFolder = path.join(await temporaryFolder(), "runs");
  const options = {
    roots: { dataRoot: null, configFolder: ".", runsFolder },
    workers: 1,
    dryRun: false,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
  await runTrainingSet(config, { ...options, until: "rates" });
  await expect(placesOf(runsFolder, "places")).rejects.toMatchObject({ code: "CURRICULUM_NOT_MADE" });
  const { funnel } = await runTrainingSet(config, { ...options, until: "order" });
  const { places } = await placesOf(runsFolder, "places");
  const counts: Record<string, number> = {};
  for (const { bucket, n } of places.values()) {
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    expect(n).toBeLessThanOrEqual(4);
  }
  const lines = funnel.filter(({ name }) => name in counts || name === "questions");
  expect(lines.map(({ name, count }) => [name, count])).toContainEqual(["questions", places.size]);
  for (const { name, count } of lines) if (name !== "questions") expect(counts[name]).toBe(count);
});
