import { assemblePairsStage } from "../curation/assemble-pairs.ts";
import { assembleRowsStage } from "../curation/assemble-rows.ts";
import { countFunnelStage } from "../curation/count-funnel.ts";
import { exportWithFunnelStage } from "../curation/export.ts";
import type { ShardSet } from "../core/shard.ts";
import { renderPromptsStage } from "../synth/render-prompts.ts";
import type { RunConfig } from "./config.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** What shards are written from. */
export interface ShardStepsRequest {
  readonly config: RunConfig;
  readonly exporters: ReadonlyMap<string, ShardSet>;
  /** SPDX, in the order of the datasets. */
  readonly licenses: readonly string[];
  readonly examples: PortLink;
  readonly databases: PortLink;
  readonly trajectories: PortLink;
  /** The config as it goes into a dataset card. */
  readonly recipe: unknown;
}

/** Prompts, rows and shards of every exporter. */
export function shardSteps(request: ShardStepsRequest): PipelineStep[] {
  const sets = new Set(request.exporters.values());
  return [...promptSteps(request, sets), ...rowSteps(request, sets), ...exportSteps(request)];
}

function promptSteps(request: ShardStepsRequest, sets: ReadonlySet<ShardSet>): PipelineStep[] {
  const { config, examples, databases } = request;
  const { dialect, history, retrievesValues, scaffold, options } = config.prompt;
  const shown = { dialect, history, retrievesValues, profile: config.profile };
  const prompts = (id: string, opened: { readonly scaffold: string; readonly options: unknown }) =>
    step({
      id,
      stage: renderPromptsStage,
      options: { ...shown, ...opened },
      inputs: { examples, databases },
    });
  const baseline = prompts("prompts-baseline", { scaffold: "single-turn", options: {} });
  return [prompts("prompts", { scaffold, options }), ...(sets.has("baseline") ? [baseline] : [])];
}

function rowSteps(request: ShardStepsRequest, sets: ReadonlySet<ShardSet>): PipelineStep[] {
  const { examples, databases, trajectories } = request;
  const { scaffold, history, options } = request.config.prompt;
  const rows = (id: string, given: { readonly set: "rl" | "sft"; readonly prompts: string } & object) => {
    const { prompts, ...rest } = given;
    return step({
      id,
      stage: assembleRowsStage,
      options: rest,
      inputs: {
        ...{ examples, databases, trajectories },
        prompts: { step: prompts, port: "prompts" },
        ordered: { step: "order", port: "examples" },
        selected: { step: "select", port: "selected" },
      },
    });
  };
  const asked = { promptScaffold: scaffold, promptOptions: { history, ...options }, prompts: "prompts" };
  const alone = { promptScaffold: "single-turn", prompts: "prompts-baseline", seenPrompts: false };
  return [
    ...(sets.has("baseline") ? [rows("rows-baseline", { set: "rl", ...alone })] : []),
    ...(sets.has("rl") ? [rows("rows-rl", { set: "rl", ...asked })] : []),
    ...(sets.has("sft") || sets.has("pairs") ? [rows("rows-sft", { set: "sft", ...asked })] : []),
    ...(sets.has("pairs")
      ? [
          step({
            id: "rows-pairs",
            stage: assemblePairsStage,
            inputs: {
              rows: { step: "rows-sft", port: "rows" },
              passedOver: { step: "select", port: "passedOver" },
              trajectories,
            },
          }),
        ]
      : []),
  ];
}

function exportSteps(request: ShardStepsRequest): PipelineStep[] {
  const { config, licenses, exporters } = request;
  if (exporters.size === 0) return [];
  const { rowsPerFile, staged } = config.export;
  const sources = config.datasets.map(({ loader, split, release }, place) => ({
    name: loader,
    split,
    release,
    license: licenses[place] ?? "other",
  }));
  const funnel = step({
    id: "funnel",
    stage: countFunnelStage,
    inputs: {
      examples: request.examples,
      dropped: { step: "filter", port: "dropped" },
      ordered: { step: "order", port: "examples" },
      selected: { step: "select", port: "selected" },
      passedOver: { step: "select", port: "passedOver" },
    },
  });
  const shards = [...exporters].map(([exporter, set]) =>
    step({
      id: `export-${exporter}`,
      stage: exportWithFunnelStage,
      options: {
        exporter,
        options: config.export.options[exporter] ?? {},
        rowsPerFile,
        staged,
        datasetName: config.name,
        license: [...new Set(licenses)].sort().join(" AND "),
        sources,
        recipe: request.recipe,
      },
      inputs: {
        rows: { step: `rows-${set}`, port: "rows" },
        funnel: { step: "funnel", port: "funnel" },
      },
      publish: `shards/${exporter}`,
    }),
  );
  return [funnel, ...shards];
}
