import path from "node:path";
import type { Example } from "../../core/example.ts";
import { Example as ExampleSchema } from "../../core/example.ts";
import type { Ledger } from "../../core/ledger.ts";
import { type CorrectedExample, correctedExamples } from "../../datasets/corrected-examples.ts";
import { readCorrections } from "../../datasets/read-corrections.ts";
import type { ArtifactStore } from "../../io/artifact-store.ts";
import { kindOf } from "../../io/files.ts";
import { openLedger } from "../../io/ledger.ts";
import type { DatasetConfig, RunConfig } from "../config.ts";
import type { FoundDatasets } from "../find-datasets.ts";
import { createPlugFinder } from "../plugs.ts";
import type { RunResult } from "../runner.ts";
import { goldShown, type SeenChange, seenChanges } from "./seen-changes.ts";

/** A question whose samples were made of what a model no longer sees. */
export interface StaleQuestion {
  readonly dataset: string;
  readonly split: string;
  readonly sourceId: string;
  readonly databaseId: string;
  /** Its identity before the corrections. */
  readonly exampleId: string;
  /** What a model would see differently. */
  readonly because: readonly SeenChange[];
  /** Finished samples that no longer stand. */
  readonly samples: number;
}

/** What the corrections of a config do to its questions. */
export interface CorrectionPlan {
  readonly applied: number;
  readonly questions: number;
  readonly byField: Readonly<Record<"gold" | "question" | "evidence", number>>;
  /** Questions to sample again, where the sampling has not been done; all others keep their samples. */
  readonly stale: readonly StaleQuestion[];
}

/** A dry run of a config with corrections. */
export interface PlannedRun {
  /** Nothing is planned of a run that is not dry. */
  readonly dryRun: boolean;
  readonly result: RunResult;
  readonly store: ArtifactStore;
  readonly sampling: { readonly ledgerFile: string };
}

/** Absolute files of corrections of each dataset. */
type FoundCorrections = Pick<FoundDatasets, "corrections">;

/**
 * How many corrections apply and which samples they leave stale, as far as the questions are loaded; `null` where the
 * config has none or nothing is loaded. `found` are the datasets for training, then those for evaluation.
 * @throws what refuses a correction.
 */
export async function planCorrections(
  config: RunConfig,
  [datasets, evaluated]: readonly [FoundCorrections, FoundCorrections],
  run: PlannedRun,
): Promise<CorrectionPlan | null> {
  if (!run.dryRun) return null;
  const { ledgerFile } = run.sampling;
  const parts = [
    { prefix: "", datasets: config.datasets, files: datasets.corrections, rollouts: config.answers.rollouts },
    {
      prefix: "evaluation-",
      datasets: config.evaluation?.datasets ?? [],
      files: evaluated.corrections,
      rollouts: config.evaluation?.rollouts ?? [],
    },
  ];
  const ledger =
    (await kindOf(ledgerFile)) === "file" ? await openLedger(ledgerFile, { readOnly: true }) : null;
  const sums = { applied: 0, questions: 0, byField: { gold: 0, question: 0, evidence: 0 } };
  const stale: StaleQuestion[] = [];
  const plugs = createPlugFinder();
  let isLoaded = false;
  try {
    for (const part of parts) {
      const isSampled = run.result.artifacts.has(`${part.prefix}sample`);
      const shown = await goldShown(part.rollouts, plugs);
      for await (const corrected of correctedQuestions(run, part)) {
        isLoaded = true;
        if (corrected.applied.length > 0) sums.questions += 1;
        for (const { correction } of corrected.applied) {
          sums.applied += 1;
          sums.byField[correction.field] += 1;
        }
        const { because, most } = seenChanges(corrected, shown);
        const samples = isSampled ? 0 : Math.min(most, finishedSamples(ledger, corrected.before));
        if (because.length > 0 && samples > 0) stale.push(staleQuestion(corrected.before, because, samples));
      }
    }
  } finally {
    await ledger?.close();
  }
  return isLoaded ? { ...sums, stale } : null;
}

interface Part {
  readonly prefix: string;
  readonly datasets: readonly DatasetConfig[];
  readonly files: readonly (readonly string[])[];
}

async function* correctedQuestions(
  { result, store }: PlannedRun,
  { prefix, datasets, files }: Part,
): AsyncGenerator<CorrectedExample> {
  for (const [index, dataset] of datasets.entries()) {
    if (dataset.corrections.length === 0) continue;
    const id = `${prefix}load${datasets.length > 1 ? `-${index}` : ""}`;
    const loaded = result.artifacts.get(id);
    if (loaded === undefined) continue;
    const names = dataset.corrections.map((file) => path.basename(file));
    const corrections = await readCorrections(names, files[index] ?? []);
    const examples = store.rows(loaded, "examples", ExampleSchema);
    yield* correctedExamples(examples, corrections, dataset.limit !== null);
  }
}

function finishedSamples(ledger: Ledger | null, example: Example): number {
  return (ledger?.samplesOf(example.id) ?? []).filter(({ state }) => state === "finished").length;
}

function staleQuestion(
  { dataset, sourceId, databaseId, id }: Example,
  because: StaleQuestion["because"],
  samples: number,
): StaleQuestion {
  return {
    dataset: dataset.name,
    split: dataset.split,
    sourceId,
    databaseId,
    exampleId: id,
    because,
    samples,
  };
}

/** Stale questions that a plan lists for a person. */
const MOST_LISTED = 20;

/** A plan's corrections for a person. */
export function renderCorrectionPlan({ applied, questions, byField, stale }: CorrectionPlan): string {
  const fields = Object.entries(byField).filter(([, count]) => count > 0);
  const parts = fields.map(([field, count]) => `${count} ${field}`).join(", ");
  const samples = stale.reduce((sum, one) => sum + one.samples, 0);
  const lines = [
    `corrections: ${applied} apply to ${questions} questions${parts === "" ? "" : ` (${parts})`}`,
    samples === 0
      ? "samples that they make stale: none"
      : `samples that they make stale: ${samples}, of ${stale.length} questions; only these are sampled again:`,
    ...stale
      .slice(0, MOST_LISTED)
      .map(
        (one) =>
          `  ${one.dataset} ${one.split} ${one.sourceId} (${one.databaseId}): ${one.because.join(", ")}, ${one.samples} samples`,
      ),
  ];
  if (stale.length > MOST_LISTED) lines.push(`  and ${stale.length - MOST_LISTED} more; --json lists all`);
  return lines.join("\n");
}
