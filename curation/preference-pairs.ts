import { z } from "zod";
import { Example } from "../core/example.ts";
import { ExampleCursor } from "../core/example-cursor.ts";
import { PreferenceRow } from "../core/preference.ts";
import { SeededRandom } from "../core/random.ts";
import { PromptRow, ScoredSample, SplitExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import { type Message, Trajectory } from "../core/trajectory.ts";
import { orderBroken } from "./merge-by-example.ts";
import { verdictOf } from "./pass-rates.ts";

/**
 * Pairs right rollouts of a question with wrong ones of the same scaffold and model, cut at the first reply in which
 * they differ: of every wrong one the right one that shares the most turns, ties by a seeded draw; longer shared
 * beginnings first, at most `perExample` a question, each rollout in one pair at most. Traces of scaffolds that read
 * gold are left out: their prompts show it.
 */
export const preferencePairsStage = defineStage({
  name: "preference-pairs",
  version: 1,
  inputs: {
    examples: Example,
    kept: SplitExample,
    prompts: PromptRow,
    samples: ScoredSample,
    trajectories: Trajectory,
  },
  outputs: { pairs: PreferenceRow },
  options: z.strictObject({
    metrics: z.array(z.string()).min(1),
    perExample: z.int().positive().default(1),
  }),
  async *run({ inputs, options, context }) {
    const kept = new ExampleCursor("kept", inputs.kept, (row) => row.exampleId);
    const prompts = new ExampleCursor("prompts", inputs.prompts, (row) => row.exampleId);
    const samples = new ExampleCursor("samples", inputs.samples, (row) => row.exampleId);
    const trajectories = new ExampleCursor("trajectories", inputs.trajectories, (row) => row.exampleId);
    const cursors = [kept, prompts, samples, trajectories];
    const known = await context.plugs.list("scaffold");
    try {
      for await (const example of inputs.examples()) {
        const [place] = await kept.take(example.id);
        const [prompt] = await prompts.take(example.id);
        const judged = inStep(await trajectories.take(example.id), await samples.take(example.id));
        if (place === undefined) continue;
        const open: Judged[] = [];
        for (const each of judged) {
          const { id } = each.trajectory.scaffold;
          const isPrivileged = known.includes(id) && (await context.plugs.find("scaffold", id)).readsGold;
          if (!isPrivileged) open.push({ ...each, reason: reasonOf(each, options.metrics) });
        }
        const random = new SeededRandom(context.seed, "preference-pairs", example.id);
        for (const pair of pairsOf(open, options.perExample, random)) {
          const row = { example, split: place.split, ...cut(pair, prompt?.messages ?? []) };
          yield { port: "pairs", row } as const;
        }
      }
      for (const cursor of cursors) await cursor.expectEnd();
    } finally {
      for (const cursor of cursors) await cursor.close();
    }
  },
});

interface Judged {
  readonly trajectory: Trajectory;
  readonly sample: ScoredSample;
  readonly reason: string;
}

interface Pair {
  readonly right: Judged;
  readonly wrong: Judged;
  /** Messages that both begin with. */
  readonly shared: number;
}

function reasonOf({ trajectory, sample }: Omit<Judged, "reason">, metrics: readonly string[]): string {
  if (trajectory.stopReason !== "answered") return "no_answer";
  const verdicts = metrics.map((metric) => verdictOf(sample, metric));
  if (verdicts.some((verdict) => verdict.status === "scored" && verdict.score !== 1)) return "wrong";
  return verdicts.every(({ status }) => status === "scored") ? "right" : "unscored";
}

function pairsOf(judged: readonly Judged[], perExample: number, random: SeededRandom): Pair[] {
  const pairs: Pair[] = [];
  for (const right of random.shuffle(judged.filter(({ reason }) => reason === "right"))) {
    for (const wrong of judged.filter(({ reason }) => reason === "wrong" || reason === "no_answer")) {
      if (!sameAgent(right.trajectory, wrong.trajectory)) continue;
      const shared = sharedMessages(right.trajectory.messages, wrong.trajectory.messages);
      if (shared !== undefined) pairs.push({ right, wrong, shared });
    }
  }
  pairs.sort((left, other) => other.shared - left.shared);
  const taken = new Set<string>();
  return pairs
    .filter(({ right, wrong }) => {
      if (taken.has(right.trajectory.id) || taken.has(wrong.trajectory.id)) return false;
      taken.add(right.trajectory.id).add(wrong.trajectory.id);
      return true;
    })
    .slice(0, perExample);
}

function sameAgent(left: Trajectory, right: Trajectory): boolean {
  return (
    left.scaffold.id === right.scaffold.id &&
    left.model.name === right.model.name &&
    left.model.revision === right.model.revision
  );
}

/** How many messages two rollouts share from the start; `undefined` where one is the beginning of the other, or they part outside a reply. */
function sharedMessages(left: readonly Message[], right: readonly Message[]): number | undefined {
  let shared = 0;
  while (
    shared < left.length &&
    shared < right.length &&
    left[shared]?.role === right[shared]?.role &&
    left[shared]?.rawText === right[shared]?.rawText
  ) {
    shared += 1;
  }
  const parted = [left[shared], right[shared]];
  return parted.every((message) => message?.origin === "sampled") ? shared : undefined;
}

function cut({ right, wrong, shared }: Pair, opening: readonly Message[]) {
  const all = right.trajectory.messages;
  const holdsPrompt = all[0]?.origin === "given";
  const turns = all.slice(0, shared).filter(({ origin }) => origin === "sampled").length;
  return {
    prompt: [...(holdsPrompt ? [] : opening), ...all.slice(0, shared)],
    chosen: all.slice(shared),
    rejected: wrong.trajectory.messages.slice(shared),
    chosenId: right.trajectory.id,
    rejectedId: wrong.trajectory.id,
    reason: `${wrong.reason}_at_${turns === 0 ? "first" : "later"}_turn`,
    simulated: right.trajectory.source === "simulated" || wrong.trajectory.source === "simulated",
  };
}

function inStep(
  trajectories: readonly Trajectory[],
  samples: readonly ScoredSample[],
): Omit<Judged, "reason">[] {
  return trajectories.map((trajectory, index) => {
    const sample = samples[index];
    if (sample?.trajectoryId === trajectory.id) return { trajectory, sample };
    throw orderBroken(
      `samples and trajectories are not in step: got a sample of ${sample?.trajectoryId ?? "none"}, expected one of ${trajectory.id}`,
      trajectory.id,
    );
  });
}
