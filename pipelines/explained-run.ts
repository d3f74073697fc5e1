import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { type Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { kindOf } from "../io/files.ts";
import { openLedger } from "../io/ledger.ts";
import type { ExplainedRow } from "./explain.ts";
import { readLatest } from "./run-folder.ts";
import { readRecipe, statusOf } from "./run-status.ts";

/** Steps of the runs that `gradus evaluate` and `gradus import` make, in their order. */
const EVALUATION_STEPS = ["load", "profile", "import", "score", "accuracy"];

/** Recipes that say nothing of the order of steps: another command's, or another version's. */
const OTHER_RECIPES = new Set(["RUN_OF_ANOTHER_KIND", "CONFIG_INVALID"]);

/**
 * The finished artifacts of a run by step, in the order of the steps, whichever command made it.
 * @throws RUN_UNKNOWN listing the runs that there are.
 */
export async function artifactsOfRun(
  runsFolder: string,
  name: string,
): Promise<ReadonlyMap<string, Artifact>> {
  const folder = path.join(runsFolder, name);
  try {
    return (await statusOf(folder, await readRecipe(runsFolder, name))).result.artifacts;
  } catch (thrown) {
    if (!(thrown instanceof GradusError) || !OTHER_RECIPES.has(thrown.code)) throw thrown;
  }
  const store = new ArtifactStore(path.join(folder, "artifacts"));
  const latest = await readLatest(folder);
  const known = EVALUATION_STEPS.filter((step) => step in latest);
  const artifacts = new Map<string, Artifact>();
  for (const step of new Set([...known, ...Object.keys(latest)])) {
    const artifact = await store.find(step, latest[step] ?? "");
    if (artifact !== undefined) artifacts.set(step, artifact);
  }
  return artifacts;
}

/**
 * What a run's ledger says of the samples whose ids begin with `prefix`: the trajectory of one that ended, and of
 * an open one how far it is. For samples that no finished step has yet.
 */
export async function ledgerRows(runFolder: string, prefix: string): Promise<ExplainedRow[]> {
  const file = path.join(runFolder, "ledger.sqlite");
  if ((await kindOf(file)) !== "file") return [];
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const rows: ExplainedRow[] = [];
    for (const { sampleId, exampleId, sampleIndex, round, state } of ledger.samples()) {
      if (!sampleId.startsWith(prefix)) continue;
      const outcome = ledger.outcome(sampleId);
      if (outcome?.kind === "finished") {
        rows.push({ step: "ledger", port: "trajectories", row: outcome.trajectory });
        continue;
      }
      const reason = outcome === undefined ? {} : { reason: outcome.reason };
      const turns = ledger.turns(sampleId).length;
      const row = { id: sampleId, exampleId, sampleIndex, round, turns, ...reason };
      rows.push({ step: "ledger", port: state, row });
    }
    return rows;
  } finally {
    await ledger.close();
  }
}
