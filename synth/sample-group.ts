import { GradusError } from "../core/errors.ts";
import type { StopRule } from "../core/rows.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { type EarlyStop, type SampleSays, settledAfter } from "./stop-early.ts";

/** How the samples of one example are taken. */
export interface GroupPlan {
  readonly samples: number;
  readonly stopEarly: EarlyStop | null;
  /** Samples in flight while the group may end early. */
  readonly lookahead: number;
  /** Plays a sample by index; `undefined` when it was discarded. */
  readonly play: (sampleIndex: number) => Promise<Trajectory | undefined>;
  /** What a finished sample says. Called for index after index, only where `stopEarly` asks. */
  readonly judge: (trajectory: Trajectory) => Promise<SampleSays>;
}

/** The samples of a group in index order, those before the decision. */
export interface TakenGroup {
  readonly trajectories: readonly Trajectory[];
  readonly stopRule: StopRule;
}

/**
 * Takes the samples of one example. Without early stop all at once. With it, `lookahead` at a time, decided
 * over indices in order: the first prefix that settles the question; samples beyond it were paid for and stay
 * in the ledger, and nothing reads them. Waits for everything it started, also when one fails; then throws the
 * first failure by index.
 */
export async function takeGroup(plan: GroupPlan): Promise<TakenGroup> {
  if (plan.stopEarly === null) {
    const indices = Array.from({ length: plan.samples }, (_, index) => index);
    const played = await settleAll(indices.map((index) => plan.play(index)));
    return { trajectories: played.filter((trajectory) => trajectory !== undefined), stopRule: "complete" };
  }
  return takeUntilSettled(plan, plan.stopEarly);
}

async function takeUntilSettled(plan: GroupPlan, rule: EarlyStop): Promise<TakenGroup> {
  const started: Promise<Trajectory | undefined>[] = [];
  const start = (upTo: number): void => {
    while (started.length < Math.min(upTo, plan.samples)) {
      const played = plan.play(started.length);
      played.catch(() => undefined);
      started.push(played);
    }
  };
  const trajectories: Trajectory[] = [];
  const says: SampleSays[] = [];
  try {
    for (let index = 0; index < plan.samples; index += 1) {
      start(index + plan.lookahead);
      const trajectory = await (started[index] as Promise<Trajectory | undefined>);
      if (trajectory !== undefined) trajectories.push(trajectory);
      says.push(trajectory === undefined ? "nothing" : await plan.judge(trajectory));
      if (index + 1 < plan.samples && settledAfter(says, rule) !== undefined)
        return { trajectories, stopRule: rule };
    }
    return { trajectories, stopRule: "complete" };
  } finally {
    await Promise.allSettled(started);
  }
}

/** The values of all, once all have ended; throws the failure of the first that failed by position. */
async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  const values: T[] = [];
  let failure: unknown;
  for (const result of settled) {
    if (result.status === "fulfilled") values.push(result.value);
    else failure = worse(failure, result.reason);
  }
  if (failure !== undefined) throw failure;
  return values;
}

/** Of two failures the one to tell: the first, but a sample left open only when there is nothing graver. */
function worse(known: unknown, other: unknown): unknown {
  if (known === undefined) return other;
  return isOpen(known) && !isOpen(other) ? other : known;
}

/** Whether a failure leaves the sample open and others worth going on with. */
export function isOpen(thrown: unknown): boolean {
  return thrown instanceof GradusError && thrown.code === "MODEL_UNAVAILABLE";
}
