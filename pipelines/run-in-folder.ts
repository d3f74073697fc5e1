import path from "node:path";
import { canonicalJson } from "../core/key.ts";
import { ArtifactStore } from "../io/artifact-store.ts";
import { writeWhole } from "../io/files.ts";
import { lockRun } from "../io/run-lock.ts";
import { openServices, type ServiceRequest } from "./run-services.ts";
import { checkPipeline } from "./check-pipeline.ts";
import { runPipeline, upTo, type RunRequest, type RunResult } from "./runner.ts";

/**
 * Runs a pipeline in its folder: takes the folder's lock, freezes the recipe beside the artifacts, starts the
 * workers, and ends them. A dry run locks and writes nothing. `prepare` runs once the lock is held.
 */
export async function runInFolder(
  request: RunRequest,
  services: ServiceRequest,
  recipe: unknown,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<{ result: RunResult; store: ArtifactStore }> {
  checkPipeline(request.pipeline);
  upTo(request.pipeline, request.until);
  const holder = `process ${process.pid} (gradus, run ${path.basename(request.runFolder)})`;
  const lock = request.dryRun ? undefined : await lockRun(request.runFolder, holder);
  try {
    if (!request.dryRun) {
      await writeWhole(path.join(request.runFolder, "recipe.lock.json"), `${canonicalJson(recipe)}\n`);
    }
    if (!request.dryRun) await prepare();
    const open = openServices(services);
    try {
      const result = await runPipeline(request, open);
      return { result, store: new ArtifactStore(path.join(request.runFolder, "artifacts")) };
    } finally {
      await open.close();
    }
  } finally {
    lock?.release();
  }
}
