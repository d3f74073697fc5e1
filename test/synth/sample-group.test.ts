import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { isOpen, type TakenGroup, takeGroup } from "../../synth/sample-group.ts";
import type { EarlyStop, SampleSays } from "../../synth/stop-early.ts";

const unavailable = new GradusError("MODEL_UNAVAILABLE", "no valid reply");
const refused = new GradusError("MODEL_KEY_REFUSED", "wrong key");

/** What a sample comes to: a trajectory that says so, nothing since it was discarded, or a failure. */
type Fate = SampleSays | "discarded" | Error;

/** A group whose samples end when the test says so. */
class HeldGroup {
  readonly started: number[] = [];
  readonly judged: number[] = [];
  readonly #fates: readonly Fate[];
  readonly #waiting = new Map<number, () => void>();

  constructor(fates: readonly Fate[]) {
    this.#fates = fates;
  }

  play = (index: number): Promise<Trajectory | undefined> => {
    this.started.push(index);
    return new Promise((resolve, reject) => {
      this.#waiting.set(index, () => {
        const fate = this.#fates[index];
        if (fate instanceof Error) reject(fate);
        else resolve(fate === "discarded" ? undefined : ({ sampleIndex: index } as Trajectory));
      });
    });
  };

  judge = async (trajectory: Trajectory): Promise<SampleSays> => {
    this.judged.push(trajectory.sampleIndex);
    return this.#fates[trajectory.sampleIndex] as SampleSays;
  };

  /** Ends the sample that is `choice`th among those in flight; says whether there was one. */
  end(choice: number): boolean {
    const indices = [...this.#waiting.keys()];
    const index = indices[choice % Math.max(1, indices.length)];
    if (index === undefined) return false;
    this.#waiting.get(index)?.();
    this.#waiting.delete(index);
    return true;
  }

  get inFlight(): number {
    return this.#waiting.size;
  }
}

/** Takes a group whose samples end in the order that `choices` draw; also the most in flight at once. */
async function take(
  held: HeldGroup,
  plan: { samples: number; stopEarly: EarlyStop | null; lookahead: number },
  choices: readonly number[],
): Promise<{ taken: TakenGroup; mostInFlight: number }> {
  const { play, judge } = held;
  const taking = takeGroup({ ...plan, play, judge });
  const ended = taking.then(
    () => true,
    () => true,
  );
  let mostInFlight = 0;
  for (let turn = 0; ; turn += 1) {
    mostInFlight = Math.max(mostInFlight, held.inFlight);
    held.end(choices[turn % choices.length] ?? 0);
    if (await Promise.race([ended, setImmediate(false)])) break;
  }
  return { taken: await taking, mostInFlight };
}

function indicesOf({ trajectories }: TakenGroup): number[] {
  return trajectories.map(({ sampleIndex }) => sampleIndex);
}

const choicesArbitrary = fc.array(fc.nat(50), { minLength: 1, maxLength: 20 });
const fatesArbitrary = fc.array(fc.constantFrom<Fate>("right", "wrong", "nothing", "discarded"), {
  minLength: 1,
  maxLength: 10,
});
const rules: readonly EarlyStop[] = ["first_right", "first_wrong", "mixed"];

/** The decision by the definition, over all samples in index order. */
function decisionOf(fates: readonly Fate[], rule: EarlyStop): number | undefined {
  const firstRight = fates.indexOf("right");
  const firstWrong = fates.indexOf("wrong");
  const last = { first_right: firstRight, first_wrong: firstWrong, mixed: Math.max(firstRight, firstWrong) };
  const isThere = rule !== "mixed" || (firstRight >= 0 && firstWrong >= 0);
  const length = last[rule] + 1;
  return isThere && length > 0 && length < fates.length ? length : undefined;
}

describe("with early stop", () => {
  it("the decision is that of full sampling, in whatever order samples end", async () => {
    const property = fc.asyncProperty(
      fatesArbitrary,
      fc.constantFrom(...rules),
      fc.integer({ min: 1, max: 6 }),
      choicesArbitrary,
      async (fates, stopEarly, lookahead, choices) => {
        const held = new HeldGroup(fates);
        const { taken, mostInFlight } = await take(
          held,
          { samples: fates.length, stopEarly, lookahead },
          choices,
        );
        const decided = decisionOf(fates, stopEarly);
        const length = decided ?? fates.length;
        const kept = fates.slice(0, length).flatMap((fate, index) => (fate === "discarded" ? [] : [index]));
        expect(indicesOf(taken)).toEqual(kept);
        expect(taken.stopRule).toBe(decided === undefined ? "complete" : stopEarly);
        expect(held.judged).toEqual(kept);
        expect(held.started).toEqual(held.started.map((_, index) => index));
        expect(held.started.length).toBeLessThanOrEqual(Math.min(fates.length, length + lookahead - 1));
        expect(mostInFlight).toBeLessThanOrEqual(lookahead);
        expect(held.inFlight).toBe(0);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it("a failure before the decision is thrown once everything started has ended", async () => {
    const held = new HeldGroup(["right", unavailable, "wrong", "wrong"]);
    const plan = { samples: 4, stopEarly: "mixed", lookahead: 3 } as const;
    await expect(take(held, plan, [2, 1, 0])).rejects.toBe(unavailable);
    expect(held.inFlight).toBe(0);
  });

  it("a failure beyond the decision is none of it", async () => {
    const held = new HeldGroup(["right", "wrong", unavailable, "right"]);
    const { taken } = await take(held, { samples: 4, stopEarly: "mixed", lookahead: 4 }, [2, 0]);
    expect(indicesOf(taken)).toEqual([0, 1]);
    expect(taken.stopRule).toBe("mixed");
  });
});

describe("without early stop", () => {
  it("all samples are in flight at once, given in index order and not judged", async () => {
    const property = fc.asyncProperty(fatesArbitrary, choicesArbitrary, async (fates, choices) => {
      const held = new HeldGroup(fates);
      const { taken, mostInFlight } = await take(
        held,
        { samples: fates.length, stopEarly: null, lookahead: 1 },
        choices,
      );
      expect(indicesOf(taken)).toEqual(fates.flatMap((fate, index) => (fate === "discarded" ? [] : [index])));
      expect(taken.stopRule).toBe("complete");
      expect(held.judged).toEqual([]);
      expect(mostInFlight).toBe(fates.length);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it.each([
    ["the first by index", [new GradusError("MODEL_UNAVAILABLE", "first"), unavailable], "first"],
    ["a grave one rather than an open sample", [unavailable, refused, unavailable], "wrong key"],
  ])("of several failures %s is told, after the others have ended", async (_name, fates, message) => {
    const held = new HeldGroup([...fates, "right"]);
    const plan = { samples: fates.length + 1, stopEarly: null, lookahead: 1 };
    await expect(take(held, plan, [1, 0])).rejects.toThrow(message);
    expect(held.inFlight).toBe(0);
  });
});

it("only an unavailable model leaves a sample open", () => {
  expect([unavailable, refused, new Error("MODEL_UNAVAILABLE"), undefined].map(isOpen)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
