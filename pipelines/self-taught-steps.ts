import { alignSplitStage } from "../curation/align-split.ts";
import { carryRowsStage } from "../curation/carry-rows.ts";
import { filterStage } from "../curation/filter.ts";
import { lossControlStage } from "../curation/loss-control.ts";
import { openQuestionsStage } from "../curation/open-questions.ts";
import { orderStage } from "../curation/order.ts";
import { preferencePairsStage } from "../curation/preference-pairs.ts";
import { sftQualityStage } from "../curation/sft-quality.ts";
import { clusterStage } from "../embeddings/cluster.ts";
import { embedStage } from "../embeddings/embed.ts";
import { selectTaughtStage } from "../embeddings/select.ts";
import { rejectStage } from "../synth/reject.ts";
import { quotaStage } from "../synth/teach-quota.ts";
import type { RunConfig } from "./config.ts";
import { guardSteps } from "./guard-steps.ts";
import { type Pipeline, type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** What the rounds before this one kept, as files that earlier steps wrote. */
export interface CarriedRound {
  /** `rows.jsonl` of the last round: every row kept so far. */
  readonly rowsFile: string;
  /** `examples.jsonl` of the first round's split. */
  readonly splitFile: string;
}

/** What the self-taught part of a run is made of. */
interface SelfTaughtRequest {
  readonly config: Pick<
    RunConfig,
    "sft" | "embedder" | "filter" | "judge" | "curriculum" | "deduplicate" | "guard"
  >;
  readonly carried?: CarriedRound | null;
  readonly embeddingCache?: string | null;
}

/** Steps that read the selection. */
const BEHIND_SELECTION: readonly string[] = ["order", "funnel"];

/**
 * The main job with self-taught selection, where the config asks for it: rejection, clusters and representatives in
 * place of the plain selection; in later rounds the open questions alone are asked, and the rows of earlier rounds
 * are put before the new ones.
 */
export function withSelfTaught(pipeline: Pipeline, request: SelfTaughtRequest, examples: PortLink): Pipeline {
  if (request.config.sft.strategy !== "self-taught") return pipeline;
  const steps: PipelineStep[] = [];
  const behind = pipeline.filter(({ id }) => BEHIND_SELECTION.includes(id));
  for (const each of pipeline) {
    if (each.id === "select" || BEHIND_SELECTION.includes(each.id)) continue;
    if (each.id === "rows-sft") {
      steps.push(...rowsSteps(each, request));
      continue;
    }
    steps.push(each);
    if (each.id === "prompts") steps.push(...selectionSteps(pipeline, request, examples), ...behind);
  }
  return request.carried == null ? steps : askingOpen(steps, request.carried, examples);
}

/** The same steps, after loading, on open questions alone. */
function askingOpen(steps: Pipeline, { rowsFile }: CarriedRound, examples: PortLink): Pipeline {
  const open = step({
    id: "open",
    stage: openQuestionsStage,
    runtime: { rowsFile },
    inputs: { examples },
  });
  const place = steps.findIndex(({ id }) => id === examples.step);
  const isExamples = (link: PortLink): boolean => link.step === examples.step && link.port === examples.port;
  return [
    ...steps.slice(0, place + 1),
    open,
    ...steps.slice(place + 1).map((each) => ({
      ...each,
      inputs: Object.fromEntries(
        Object.entries(each.inputs).map(([port, link]) => [
          port,
          isExamples(link) ? { step: "open", port: "open" } : link,
        ]),
      ),
    })),
  ];
}

function selectionSteps(pipeline: Pipeline, request: SelfTaughtRequest, examples: PortLink): PipelineStep[] {
  const { sft } = request.config;
  const { samples, trajectories } = inputsOf(pipeline, "select") as Readonly<
    Record<"samples" | "trajectories", PortLink>
  >;
  const databases = inputsOf(pipeline, "prompts")["databases"] as PortLink;
  const kept = { step: "split-sft", port: "examples" };
  const links = { examples, databases, kept, samples, trajectories };
  return [
    ...questionSteps(inputsOf(pipeline, "filter"), request, { examples, databases }),
    ...rejectSteps(request.config, links),
    ...representativeSteps(request, trajectories),
    orderStep(request.config, examples),
    ...(sft.preferencePairs === 0 ? [] : [pairsStep(sft, links)]),
  ];
}

interface SelectionLinks {
  readonly examples: PortLink;
  readonly databases: PortLink;
  readonly kept: PortLink;
  readonly samples: PortLink;
  readonly trajectories: PortLink;
}

/** Questions that can be judged, trivial and intractable ones included, on their sides and in their order. */
function questionSteps(
  filtered: Readonly<Record<string, PortLink>>,
  { config, carried = null }: SelfTaughtRequest,
  loaded: { readonly examples: PortLink; readonly databases: PortLink },
): PipelineStep[] {
  const [label] = config.judge.labels;
  const { dropEmptyGold } = config.filter;
  const kept = { step: "filter-sft", port: "kept" };
  const guarded = guardSteps({ config, guardRoots: [], ...loaded, kept, suffix: "-sft" });
  return [
    step({
      id: "filter-sft",
      stage: filterStage,
      options: { trivial: null, intractable: null, dropEmptyGold, ...(label === undefined ? {} : { label }) },
      inputs: filtered,
    }),
    ...guarded.steps,
    step({
      id: "split-sft",
      stage: alignSplitStage,
      runtime: { splitFile: carried?.splitFile ?? null },
      inputs: { kept: guarded.kept, split: { step: "split", port: "examples" } },
    }),
  ];
}

/** All questions in the order of the curriculum, whether it would practise on them or not. */
function orderStep({ curriculum }: SelfTaughtRequest["config"], examples: PortLink): PipelineStep {
  return step({
    id: "order-sft",
    stage: orderStage,
    options: { curriculum: curriculum.id, levels: curriculum.levels, options: curriculum.options },
    inputs: {
      examples: { step: "split-sft", port: "examples" },
      loaded: examples,
      selected: { step: "select", port: "selected" },
    },
  });
}

function rejectSteps({ sft }: SelfTaughtRequest["config"], links: SelectionLinks): PipelineStep[] {
  const { metrics, easy, hard, checksTraces, quota } = sft;
  const rejecting = step({
    id: "reject",
    stage: rejectStage,
    options: { metrics, easy, hard, checksTraces },
    inputs: { ...links, prompts: { step: "prompts", port: "prompts" } },
  });
  if (quota === null) return [rejecting];
  const inputs = {
    kept: links.kept,
    candidates: { step: "reject", port: "candidates" },
    passedOver: { step: "reject", port: "passedOver" },
  };
  return [rejecting, step({ id: "quota", stage: quotaStage, options: quota, inputs })];
}

function representativeSteps(
  { config, embeddingCache = null }: SelfTaughtRequest,
  trajectories: PortLink,
): PipelineStep[] {
  const { sft, embedder } = config;
  const from = sft.quota === null ? "reject" : "quota";
  const candidates = { step: from, port: "candidates" };
  return [
    step({
      id: "embed",
      stage: embedStage,
      options: { embedder: embedder.id, options: embedder.options, parts: sft.embedded },
      runtime: { cacheFile: embeddingCache, client: embedder.client },
      inputs: { candidates, trajectories },
    }),
    step({
      id: "cluster",
      stage: clusterStage,
      options: { clusters: sft.hard.limit },
      inputs: { embedded: { step: "embed", port: "embedded" } },
    }),
    step({
      id: "select",
      stage: selectTaughtStage,
      inputs: {
        candidates,
        clustered: { step: "cluster", port: "clustered" },
        passedOver: { step: from, port: "passedOver" },
      },
    }),
  ];
}

function pairsStep({ metrics, preferencePairs }: RunConfig["sft"], links: SelectionLinks): PipelineStep {
  const { databases: _databases, ...inputs } = links;
  return step({
    id: "preference-pairs",
    stage: preferencePairsStage,
    options: { metrics, perExample: preferencePairs },
    inputs: { ...inputs, prompts: { step: "prompts", port: "prompts" } },
  });
}

function inputsOf(pipeline: Pipeline, id: string): Readonly<Record<string, PortLink>> {
  return pipeline.find((each) => each.id === id)?.inputs ?? {};
}

/** The rows of this round, then those of earlier rounds before them, under the id that exporters read. */
function rowsSteps(assembled: PipelineStep, { config, carried = null }: SelfTaughtRequest): PipelineStep[] {
  const inputs = { ...assembled.inputs, ordered: { step: "order-sft", port: "all" } };
  const isMasked = config.sft.repaired === "mask";
  const steps: PipelineStep[] = [];
  let from = { step: "", port: "rows" };
  const add = (id: string, make: (id: string) => PipelineStep): void => {
    steps.push(make(id));
    from = { step: id, port: "rows" };
  };
  const rest = Number(isMasked) + Number(carried !== null);
  add(rest === 0 ? "rows-sft" : "rows-sft-chosen", (id) => ({ ...assembled, id, inputs }));
  if (isMasked) {
    add(carried === null ? "rows-sft" : "rows-sft-masked", (id) =>
      step({ id, stage: lossControlStage, options: { repaired: "mask" }, inputs: { rows: from } }),
    );
  }
  if (carried !== null) {
    add("rows-sft", (id) =>
      step({
        id,
        stage: carryRowsStage,
        runtime: { rowsFile: carried.rowsFile },
        inputs: { rows: from },
      }),
    );
  }
  steps.push(
    step({
      id: "quality-sft",
      stage: sftQualityStage,
      inputs: {
        rows: { step: "rows-sft", port: "rows" },
        kept: { step: "split-sft", port: "examples" },
        passedOver: { step: "select", port: "passedOver" },
        trajectories: assembled.inputs["trajectories"] as PortLink,
      },
      publish: "quality",
    }),
  );
  return steps;
}
