import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { DroppedExample, GoldRow, OrderedExample, PassRate } from "../core/rows.ts";
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

/** A question with what its pass rate says of it. */
export interface RatedPlace {
  /** By the run's label, else the dataset's own; `null` when unknown. */
  readonly hardness: string | null;
  readonly n: number;
  readonly c: number;
  /** Whether n and c stand for all planned samples. */
  readonly isComplete: boolean;
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
    if (artifact === undefined) throw notMade(name, step);
    return artifact;
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
  const examples = result.artifacts.get("combine") ?? result.artifacts.get("correct") ?? artifactOf("load");
  for await (const { id, dataset, sourceId, databaseId } of store.rows(examples, "examples", Example)) {
    const place = settled.get(id);
    if (place === undefined) continue;
    const { n, c } = rates.get(id) ?? { n: 0, c: 0 };
    places.set(id, { dataset: `${dataset.name}/${dataset.split}`, sourceId, databaseId, ...place, n, c });
  }
  return { config, places };
}

/**
 * Every question of a run with its pooled pass rate, as far as the run has come to its pass rates.
 * @throws as {@link placesOf}.
 */
export async function ratedPlacesOf(runsFolder: string, name: string): Promise<RatedPlace[]> {
  const config = await readRecipe(runsFolder, name);
  const { result, store } = await statusOf(path.join(runsFolder, name), config);
  const [golds, rates] = ["score", "rates"].map((step) => result.artifacts.get(step));
  if (golds === undefined || rates === undefined) throw notMade(name, "rates");
  const pooled = new Map<string, { n: number; c: number; isComplete: boolean }>();
  for await (const { exampleId, n, c, stopRule } of store.rows(rates, "rates", PassRate)) {
    const sum = pooled.get(exampleId) ?? { n: 0, c: 0, isComplete: true };
    const isComplete = sum.isComplete && stopRule === "complete";
    pooled.set(exampleId, { n: sum.n + n, c: sum.c + c, isComplete });
  }
  const [label] = config.judge.labels;
  const places: RatedPlace[] = [];
  for await (const { exampleId, labels } of store.rows(golds, "golds", GoldRow)) {
    const verdict = label === undefined ? undefined : labels[label];
    const hardness = verdict?.status === "scored" ? verdict.label : null;
    places.push({ hardness, ...(pooled.get(exampleId) ?? { n: 0, c: 0, isComplete: true }) });
  }
  return places;
}

function notMade(name: string, step: string): GradusError {
  return new GradusError("CURRICULUM_NOT_MADE", `the run "${name}" has no finished step "${step}" yet`, {
    hint: "gradus run its config again: it goes on from where it is",
  });
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
