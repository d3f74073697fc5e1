import { z } from "zod";
import { SeededRandom } from "../core/random.ts";
import { PassedOverTrajectory, ScoredSample, SelectedTrajectory, SplitExample } from "../core/rows.ts";
import { defineStage, type Rows } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { compareText } from "./compare-text.ts";
import { orderBroken } from "./merge-by-example.ts";
import { verdictOf } from "./pass-rates.ts";

const SelectOptions = z.strictObject({
  metric: z.string().default("bird-ex"),
  /** Trajectories to keep of one example. */
  perExample: z.int().positive().default(1),
  /** `short`: the shortest SQL first, equal lengths by a seeded draw; `any`: a seeded draw. */
  prefer: z.enum(["short", "any"]).default("short"),
});
type SelectOptions = z.infer<typeof SelectOptions>;

/**
 * Chooses trajectories to imitate: right by the metric (score 1), one for each distinct SQL text of an
 * example (the first sample of it), at most `perExample`. The rest is passed over, for the first reason
 * that holds: `example_dropped` (it is not among the examples), `no_answer` (it stopped without one, though a blank
 * answer can score), `unscored`, `wrong`, `duplicate_sql`, `over_limit`. Samples and trajectories must be in step, one sample for each trajectory.
 * @throws STAGE_ORDER_BROKEN, METRIC_NOT_SCORED.
 */
export const selectTrajectoriesStage = defineStage({
  name: "select-trajectories",
  version: 1,
  inputs: { examples: SplitExample, samples: ScoredSample, trajectories: Trajectory },
  outputs: { selected: SelectedTrajectory, passedOver: PassedOverTrajectory },
  options: SelectOptions,
  balances: [{ input: "trajectories", outputs: ["selected", "passedOver"] }],
  async *run({ inputs, options, context }) {
    const places = await placesOf(inputs.examples);
    let latest = -1;
    for await (const group of groupsOf(inputs.trajectories, inputs.samples)) {
      const { exampleId } = group;
      const place = places.get(exampleId);
      if (place !== undefined && place.position <= latest) {
        throw orderBroken(`trajectories of example ${exampleId} come after those of a later one`, exampleId);
      }
      latest = place?.position ?? latest;
      const random = new SeededRandom(context.seed, "select-trajectories", exampleId);
      const { chosen, reasons } = choose(group.candidates, place !== undefined, options, random);
      for (const { trajectoryId } of chosen) {
        const row = { trajectoryId, exampleId, split: place?.split ?? "train", reason: options.prefer };
        yield { port: "selected", row } as const;
      }
      for (const { trajectoryId } of group.candidates) {
        const reason = reasons.get(trajectoryId);
        if (reason !== undefined)
          yield { port: "passedOver", row: { trajectoryId, exampleId, reason } } as const;
      }
    }
  },
});

interface Place {
  readonly position: number;
  readonly split: SplitExample["split"];
}

async function placesOf(examples: Rows<SplitExample>): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  for await (const { exampleId, position, split } of examples()) places.set(exampleId, { position, split });
  return places;
}

/** What choosing needs of a trajectory and its sample. */
interface Candidate {
  readonly trajectoryId: string;
  readonly finalSql: string | null;
  readonly stopReason: Trajectory["stopReason"];
  readonly sample: ScoredSample;
}

interface Group {
  readonly exampleId: string;
  readonly candidates: readonly Candidate[];
}

async function* groupsOf(trajectories: Rows<Trajectory>, samples: Rows<ScoredSample>): AsyncGenerator<Group> {
  let group: { exampleId: string; candidates: Candidate[] } | undefined;
  for await (const candidate of inStep(trajectories, samples)) {
    const { exampleId } = candidate.sample;
    if (group !== undefined && group.exampleId !== exampleId) {
      yield group;
      group = undefined;
    }
    group ??= { exampleId, candidates: [] };
    group.candidates.push(candidate);
  }
  if (group !== undefined) yield group;
}

async function* inStep(
  trajectories: Rows<Trajectory>,
  samples: Rows<ScoredSample>,
): AsyncGenerator<Candidate> {
  const scoredSamples = samples()[Symbol.asyncIterator]();
  try {
    for await (const { id, finalSql, stopReason } of trajectories()) {
      const next = await scoredSamples.next();
      const sample = next.done === true ? undefined : next.value;
      if (sample?.trajectoryId !== id) throw outOfStep(id, sample?.trajectoryId);
      yield { trajectoryId: id, finalSql, stopReason, sample };
    }
    const rest = await scoredSamples.next();
    if (rest.done !== true) throw outOfStep("none", rest.value.trajectoryId);
  } finally {
    await scoredSamples.return?.();
  }
}

function outOfStep(trajectoryId: string, sampleOf: string | undefined): Error {
  return orderBroken(
    `samples and trajectories are not in step: got a sample of trajectory ${sampleOf ?? "none"}, expected one of ${trajectoryId}`,
    trajectoryId,
  );
}

function choose(
  candidates: readonly Candidate[],
  isKept: boolean,
  options: SelectOptions,
  random: SeededRandom,
): { readonly chosen: readonly Candidate[]; readonly reasons: ReadonlyMap<string, string> } {
  const reasons = new Map<string, string>();
  const distinct = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { finalSql, trajectoryId } = candidate;
    const reason = isKept ? reasonAgainst(candidate, options.metric) : "example_dropped";
    if (reason !== undefined) reasons.set(trajectoryId, reason);
    else if (distinct.has(finalSql ?? "")) reasons.set(trajectoryId, "duplicate_sql");
    else distinct.set(finalSql ?? "", candidate);
  }
  const sorted = [...distinct.values()].sort((left, right) =>
    compareText(left.trajectoryId, right.trajectoryId),
  );
  const drawn = random.shuffle(sorted);
  if (options.prefer === "short") drawn.sort((left, right) => sqlLength(left) - sqlLength(right));
  for (const { trajectoryId } of drawn.slice(options.perExample)) reasons.set(trajectoryId, "over_limit");
  return { chosen: drawn.slice(0, options.perExample), reasons };
}

function reasonAgainst(candidate: Candidate, metric: string): string | undefined {
  if (candidate.stopReason !== "answered") return "no_answer";
  const verdict = verdictOf(candidate.sample, metric);
  if (verdict.status === "unscored") return "unscored";
  return verdict.score === 1 ? undefined : "wrong";
}

function sqlLength(candidate: Candidate): number {
  return candidate.finalSql?.length ?? 0;
}
