import path from "node:path";
import { scoreStage } from "../curation/score.ts";
import { importPredictionsStage } from "../synth/import-predictions.ts";
import type { RunConfig } from "./config.ts";
import { type Pipeline, step } from "./pipeline.ts";
import { datasetSteps } from "./dataset-steps.ts";
import { figureSteps, goldSteps } from "./evaluation-steps.ts";

/** A judged set of prediction files. */
export interface EvaluationRequest {
  /** The dataset, and the judge's limits and metrics. */
  readonly config: Pick<RunConfig, "datasets" | "prompt" | "judge">;
  readonly roots: readonly string[];
  /** Absolute files of corrections of each dataset. */
  readonly corrections?: readonly (readonly string[])[];
  /** Absolute prediction files. */
  readonly files: readonly string[];
  /** The model whose successive samples the files are; `null` makes each file a system of its own, named by it. */
  readonly model: { readonly name: string; readonly revision: string | null } | null;
  readonly format: string | null;
  readonly partial: boolean;
  readonly concurrency: number;
  /** What is looked at in the golds: nothing, whether they match themselves, or also what their data leave open. */
  readonly golds?: "unchecked" | "checked" | "graded";
}

/** Load, profile, import, score, average, make the other figures: what `gradus evaluate --predictions` runs. */
export function evaluationPipeline(request: EvaluationRequest): Pipeline {
  const { datasets, prompt } = request.config;
  const { roots, corrections = [], golds = "unchecked" } = request;
  const { valuesPerColumn } = prompt;
  const { steps, examples, databases } = datasetSteps({
    datasets,
    roots,
    corrections,
    valuesPerColumn,
    prefix: "",
  });
  const imports = request.files.map((file) => {
    const name = path.basename(file);
    return {
      name,
      model: request.model ?? { name, revision: null },
      format: request.format,
      partial: request.partial,
    };
  });
  return [
    ...steps,
    step({
      id: "import",
      stage: importPredictionsStage,
      options: { imports },
      runtime: { files: request.files },
      inputs: { examples, databases },
    }),
    step({
      id: "score",
      stage: scoreStage,
      options: request.config.judge,
      runtime: { concurrency: request.concurrency },
      inputs: { examples, databases, trajectories: { step: "import", port: "trajectories" } },
    }),
    ...figureSteps({
      judge: request.config.judge,
      examples,
      databases,
      trajectories: { step: "import", port: "trajectories" },
      linkings: null,
      score: "score",
      accuracy: "accuracy",
      systems: "systems",
      name: null,
      attempts: null,
    }),
    ...(golds === "unchecked"
      ? []
      : goldSteps({
          judge: request.config.judge,
          examples,
          databases,
          concurrency: request.concurrency,
          prefix: "",
          grade: golds === "graded",
        })),
  ];
}
