import path from "node:path";
import { writeFile } from "node:fs/promises";
import { ArtifactStore } from "../../../io/artifact-store.ts";
import { openReportSource, type ReportSource } from "../../../pipelines/report/report-source.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A finished step: the rows of its ports. */
export interface WrittenStep {
  readonly ports: Readonly<Record<string, readonly unknown[]>>;
  readonly options?: object;
}

/** A run with these finished steps, as another command's. */
export async function writtenRun(steps: Readonly<Record<string, WrittenStep>>): Promise<ReportSource> {
  const runs = await temporaryFolder({ "small/recipe.lock.json": '{"command":"other","seed":3}' });
  const store = new ArtifactStore(path.join(runs, "small/artifacts"));
  const latest: Record<string, string> = {};
  for (const [stage, { ports, options = {} }] of Object.entries(steps)) {
    const parts = { stage, version: 1, seed: 1, options: { ...options }, plugs: [], inputs: {}, sources: [] };
    const unfinished = await store.begin(stage, parts, Object.keys(ports));
    for (const [port, rows] of Object.entries(ports)) {
      for (const row of rows) await unfinished.add(port, row, undefined);
    }
    latest[stage] = (await unfinished.seal()).manifest.key;
  }
  await writeFile(path.join(runs, "small/latest.json"), JSON.stringify(latest));
  return openReportSource(runs, "small");
}
