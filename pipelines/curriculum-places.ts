import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { DroppedExample, OrderedExample, PassRate } from "../core/rows.ts";
import type { Artifact, ArtifactStore } from "../io/artifact-store.ts";
import type { RunConfig } from "./config.ts";
import { readRecipe, statusOf } from "./run-status.ts";

/** Where a question stands in a run, and the figures that put it there. */
export interface Place {
  readonly dataset: string;
  readonly sourceId: string;
  readonly databaseId: string;
  /** `kept`, or why it was dropped. */
  readonly bucket: string;
  /** What the filter says of a dropped one. */
  readonly message: string;
  readonly split: "train" | "validation" | null;
  /** From 0; `null` where it was dropped. */
  readonly level: number | null;
  /** Scored samples and right ones, of all models and settings. */
  readonly n: number;
  readonly c: number;
}

/** The places of a run's questions by example, in the order of the dataset, and its recipe. */
export interface RunPlaces {
  readonly config: RunConfig;
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * Reads where every loaded question of a finished run stands.
 * @throws RUN_UNKNOWN, RUN_OF_ANOTHER_KIND; CURRICULUM_NOT_MADE for a run that has not come to its curriculum.
 */
export async function placesOf(runsFolder: string, name: string): Promise<RunPlaces> {
  const config = await readRecipe(runsFolder, name);
  const { result, store } = await statusOf(path.join(runsFolder, name), config);
  const artifactOf = (step: string): Artifact => {
    const artifact = result.artifacts.get(step);
    if (artifact !== undefined) return artifact;
    throw new GradusError("CURRICULUM_NOT_MADE", `the run "${name}" has no finished step "${step}" yet`, {
      hint: `gradus run its config again: it goes on to the curriculum`,
    });
  };
  const rates = await ratesOf(store, artifactOf("rates"));
  const settled = new Map<string, Settled>();
  artifactOf("filter");
  for (const artifact of result.artifacts.values()) {
    if ("dropped" in artifact.manifest.outputs) await addDropped(settled, store, artifact);
  }
  for await (const row of store.rows(artifactOf("order"), "examples", OrderedExample)) {
    settled.set(row.exampleId, { bucket: "kept", message: "", split: row.split, level: row.level });
  }
  const places = new Map<string, Place>();
  const examples = result.artifacts.get("combine") ?? artifactOf("load");
  for await (const { id, dataset, sourceId, databaseId } of store.rows(examples, "examples", Example)) {
    const place = settled.get(id);
    if (place === undefined) continue;
    const { n, c } = rates.get(id) ?? { n: 0, c: 0 };
    places.set(id, { dataset: `${dataset.name}/${dataset.split}`, sourceId, databaseId, ...place, n, c });
  }
  return { config, places };
}

type Settled = Pick<Place, "bucket" | "message" | "split" | "level">;

async function addDropped(
  settled: Map<string, Settled>,
  store: ArtifactStore,
  artifact: Artifact,
): Promise<void> {
  for await (const { exampleId, reason, message } of store.rows(artifact, "dropped", DroppedExample)) {
    settled.set(exampleId, { bucket: reason, message, split: null, level: null });
  }
}

async function ratesOf(
  store: ArtifactStore,
  artifact: Artifact,
): Promise<ReadonlyMap<string, { readonly n: number; readonly c: number }>> {
  const rates = new Map<string, { n: number; c: number }>();
  for await (const { exampleId, n, c } of store.rows(artifact, "rates", PassRate)) {
    const sum = rates.get(exampleId) ?? { n: 0, c: 0 };
    rates.set(exampleId, { n: sum.n + n, c: sum.c + c });
  }
  return rates;
}
