import { assembleLinkerRowsStage } from "../curation/assemble-linker-rows.ts";
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
  return [
    ...funnelSteps(request),
    ...promptSteps(request, sets),
    ...rowSteps(request, sets),
    ...linkerRowSteps(request, sets),
    ...exportSteps(request),
  ];
}

function funnelSteps(request: ShardStepsRequest): PipelineStep[] {
  if (request.exporters.size === 0) return [];
  return [
    step({
      id: "funnel",
      stage: countFunnelStage,
      inputs: {
        examples: request.examples,
        dropped: { step: "filter", port: "dropped" },
        leftOut: { step: "order", port: "dropped" },
        ordered: { step: "order", port: "examples" },
        selected: { step: "select", port: "selected" },
        passedOver: { step: "select", port: "passedOver" },
      },
    }),
  ];
}

/** The sets whose rows the linkers before the answers have too. */
function linkerSets({ config }: ShardStepsRequest, sets: ReadonlySet<ShardSet>): ("rl" | "sft")[] {
  const hasLinkers = config.export.linker && config.answers.rollouts.length > 0;
  return hasLinkers ? (["rl", "sft"] as const).filter((set) => sets.has(set)) : [];
}

function linkerRowSteps(request: ShardStepsRequest, sets: ReadonlySet<ShardSet>): PipelineStep[] {
  return linkerSets(request, sets).map((set) =>
    step({
      id: `rows-linker-${set}`,
      stage: assembleLinkerRowsStage,
      options: { set },
      inputs: {
        rows: { step: `rows-${set}`, port: "rows" },
        linkings: { step: request.trajectories.step, port: "linkings" },
      },
    }),
  );
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
        examples,
        databases,
        trajectories,
        prompts: { step: prompts, port: "prompts" },
        ordered: { step: "order", port: rest.set === "sft" ? "all" : "examples" },
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
  const { rowsPerFile, staged } = config.export;
  const sources = config.datasets.map(({ loader, split, release }, place) => ({
    name: loader,
    split,
    release,
    license: licenses[place] ?? "other",
  }));
  const linked = linkerSets(request, new Set(exporters.values()));
  const wanted = [...exporters].flatMap(([exporter, set]) => [
    { exporter, name: exporter, rows: `rows-${set}` },
    ...linked
      .filter((other) => other === set)
      .map(() => ({ exporter, name: `${exporter}-linker`, rows: `rows-linker-${set}` })),
  ]);
  return wanted.map(({ exporter, name, rows }) =>
    step({
      id: `export-${name}`,
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
        rows: { step: rows, port: "rows" },
        funnel: { step: "funnel", port: "funnel" },
      },
      publish: `shards/${name}`,
    }),
  );
}
