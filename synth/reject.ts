import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { ExampleCursor } from "../core/example-cursor.ts";
import type { PlugFinder } from "../core/plug.ts";
import { PassedOverTrajectory, PromptRow, ScoredSample, SplitExample } from "../core/rows.ts";
import { TaughtCandidate, TaughtQuestion } from "../core/self-taught.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { interactionsOf } from "../core/trajectory-actions.ts";
import { Trajectory } from "../core/trajectory.ts";
import { findLeaks } from "./privileged-trace.ts";
import { RejectOptions } from "./reject-options.ts";

const inputs = {
  examples: Example,
  databases: Database,
  kept: SplitExample,
  prompts: PromptRow,
  samples: ScoredSample,
  trajectories: Trajectory,
};

/**
 * Difficulty-aware rejection: of the rollouts of each kept question those that are right by every metric and may
 * teach. A question is easy by its label, or when the current model always gets it right (samples of scaffolds that
 * read gold do not count); of an easy one the short rollouts are candidates, of any other the long ones. Where none
 * fits, the nearest in interactions stand in, and the question is counted as a fallback. Traces of scaffolds that
 * read gold must not show it. What is no candidate is passed over, for the first reason that holds:
 * `example_dropped`, `no_answer`, `unscored`, `wrong`, `leak_…`, `outside_class`.
 * What an interaction is, fallbacks and the check of traces are not in the paper.
 * @paper MTSQL-R1, section 3.2.2, S1 and S2
 * @throws STAGE_ORDER_BROKEN, METRIC_NOT_SCORED.
 */
export const rejectStage = defineStage({
  name: "reject",
  version: 1,
  inputs,
  outputs: { candidates: TaughtCandidate, passedOver: PassedOverTrajectory, questions: TaughtQuestion },
  options: RejectOptions,
  balances: [
    { input: "trajectories", outputs: ["candidates", "passedOver"] },
    { input: "kept", outputs: ["questions"] },
  ],
  async *run({ inputs: rows, options, context }) {
    const databases = new Map<string, Database>();
    for await (const database of rows.databases()) databases.set(database.databaseId, database);
    const kept = new ExampleCursor("kept", rows.kept, (row) => row.exampleId);
    const prompts = new ExampleCursor("prompts", rows.prompts, (row) => row.exampleId);
    const samples = new ExampleCursor("samples", rows.samples, (row) => row.exampleId);
    const trajectories = new ExampleCursor("trajectories", rows.trajectories, (row) => row.exampleId);
    const cursors = [kept, prompts, samples, trajectories];
    const privileged = privilegedScaffolds(context.plugs);
    let done = 0;
    try {
      for await (const example of rows.examples()) {
        const [place] = await kept.take(example.id);
        const [prompt] = await prompts.take(example.id);
        const own = inStep(await trajectories.take(example.id), await samples.take(example.id));
        const judged: Judged[] = [];
        for (const { trajectory, sample } of own) {
          const isPrivileged = await privileged(trajectory.scaffold.id);
          judged.push({
            trajectory,
            sample,
            isPrivileged,
            reason: verdictReason(trajectory, sample, options.metrics),
          });
        }
        const database = databases.get(example.databaseId);
        const shown = { example, database: database?.schema ?? null, prompt: prompt?.messages ?? [] };
        yield* decide(judged, { place, shown, options });
        done += 1;
        context.progress(done);
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
  readonly isPrivileged: boolean;
  /** Why it is not right; `undefined` where it is. */
  readonly reason: string | undefined;
}

interface Question {
  readonly place: SplitExample | undefined;
  readonly shown: Pick<Parameters<typeof findLeaks>[1], "example" | "database" | "prompt">;
  readonly options: RejectOptions;
}

function* decide(judged: readonly Judged[], { place, shown, options }: Question) {
  const passOver = ({ trajectory }: Judged, reason: string) =>
    ({
      port: "passedOver",
      row: { trajectoryId: trajectory.id, exampleId: trajectory.exampleId, reason },
    }) as const;
  if (place === undefined) {
    for (const one of judged) yield passOver(one, "example_dropped");
    return;
  }
  const right: Judged[] = [];
  for (const one of judged) {
    const reason = one.reason ?? leakReason(one, shown, options);
    if (reason === undefined) right.push(one);
    else yield passOver(one, reason);
  }
  const competence = competenceOf(judged);
  const isEasy = isEasyQuestion(place, competence, options);
  const { taken, isFallback } = ofClass(right, isEasy, options);
  const taughtAs = isEasy ? "easy" : "hard";
  const { limit } = isEasy ? options.easy : options.hard;
  for (const one of right) {
    const { trajectory } = one;
    if (!taken.has(one)) {
      yield passOver(one, "outside_class");
      continue;
    }
    const row = {
      trajectoryId: trajectory.id,
      exampleId: trajectory.exampleId,
      split: place.split,
      class: taughtAs,
      fallback: isFallback,
      interactions: interactionsOf(trajectory),
      limit,
    } as const;
    yield { port: "candidates", row } as const;
  }
  const reason = right.length === 0 ? "open" : `${taughtAs}${isFallback ? "_fallback" : ""}`;
  yield {
    port: "questions",
    row: { exampleId: place.exampleId, reason, ...competence, right: right.length },
  } as const;
}

/** The samples that measure the current model: those of scaffolds that do not read gold, scored by every metric. */
function competenceOf(judged: readonly Judged[]): { readonly n: number; readonly c: number } {
  const own = judged.filter(({ isPrivileged, reason }) => !isPrivileged && reason !== "unscored");
  return { n: own.length, c: own.filter(({ reason }) => reason === undefined).length };
}

function isEasyQuestion(
  { hardness }: SplitExample,
  { n, c }: { readonly n: number; readonly c: number },
  { easy }: RejectOptions,
): boolean {
  if (hardness !== null && easy.labels.includes(hardness)) return true;
  return easy.passRate !== null && n >= easy.minimumN && c >= easy.passRate * n;
}

/** The right rollouts of a question that fit its class, the nearest where none does. */
function ofClass(right: readonly Judged[], isEasy: boolean, options: RejectOptions) {
  const lengths = right.map(({ trajectory }) => interactionsOf(trajectory));
  const fits = (interactions: number): boolean =>
    isEasy ? interactions <= options.easy.maxInteractions : interactions >= options.hard.minInteractions;
  const isFallback = right.length > 0 && !lengths.some(fits);
  const nearest = isEasy ? Math.min(...lengths) : Math.max(...lengths);
  const isTaken = (interactions: number): boolean =>
    isFallback ? interactions === nearest : fits(interactions);
  return { taken: new Set(right.filter((_, index) => isTaken(lengths[index] ?? 0))), isFallback };
}

function leakReason(
  { trajectory, isPrivileged }: Judged,
  shown: Question["shown"],
  options: RejectOptions,
): string | undefined {
  if (!isPrivileged || !options.checksTraces) return undefined;
  const [leak] = findLeaks(trajectory, shown);
  return leak === undefined ? undefined : `leak_${leak.kind}`;
}

function verdictReason(
  trajectory: Trajectory,
  sample: ScoredSample,
  metrics: readonly string[],
): string | undefined {
  if (trajectory.stopReason !== "answered") return "no_answer";
  const verdicts = metrics.map((metric) => sample.verdicts[metric] ?? notScored(sample, metric));
  if (verdicts.some((verdict) => verdict.status === "scored" && verdict.score !== 1)) return "wrong";
  return verdicts.some(({ status }) => status === "unscored") ? "unscored" : undefined;
}

function notScored(sample: ScoredSample, metric: string): never {
  throw new GradusError(
    "METRIC_NOT_SCORED",
    `sample ${sample.trajectoryId} has no verdict of "${metric}", it has: ${Object.keys(sample.verdicts).sort().join(", ")}`,
    {
      site: { rowId: sample.trajectoryId },
      hint: `add "${metric}" to judge.metrics, or leave it out of sft.metrics`,
    },
  );
}

function inStep(trajectories: readonly Trajectory[], samples: readonly ScoredSample[]) {
  return trajectories.map((trajectory, index) => {
    const sample = samples[index];
    if (sample?.trajectoryId === trajectory.id && samples.length === trajectories.length) {
      return { trajectory, sample };
    }
    throw new GradusError(
      "STAGE_ORDER_BROKEN",
      `samples and trajectories are not in step: got a sample of ${sample?.trajectoryId ?? "none"}, expected one of ${trajectory.id}`,
      { site: { stage: "reject", rowId: trajectory.id }, hint: "this is a defect: please report it" },
    );
  });
}

/** Whether a scaffold reads gold; one that is no plug, as of imported answers, does not. */
function privilegedScaffolds(plugs: StageContext["plugs"]): (id: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (id) => {
    let answer = known.get(id);
    if (answer === undefined) {
      answer = readsGold(plugs, id);
      known.set(id, answer);
    }
    return answer;
  };
}

async function readsGold(plugs: PlugFinder, id: string): Promise<boolean> {
  if (!(await plugs.list("scaffold")).includes(id)) return false;
  return (await plugs.find("scaffold", id)).readsGold;
}
