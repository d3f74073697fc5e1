import { describe, expect, it } from "vitest";
import type { ScoredSample } from "../../core/rows.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { filterStage } from "../../curation/filter.ts";
import { passRatesStage } from "../../curation/pass-rates.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, goldRow, sample } from "./sample-rows.ts";

/** Numbers that look random, by nothing of the project. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SETTINGS = ["single-turn", "agent"] as const;
const PLAN = { weak: 16, strong: 32 } as const;
type Model = keyof typeof PLAN;

/** How many samples of a cell are right and how many failed for reasons of ours, by kind of question. */
type Kind = (
  model: Model,
  setting: string,
  below: (bound: number) => number,
) => readonly [right: number, failed: number];

const KINDS: readonly Kind[] = [
  // Always right, never right, one short of either.
  (model) => [PLAN[model], 0],
  () => [0, 0],
  (model) => [PLAN[model] - 1, 0],
  () => [1, 0],
  // The settings disagree.
  (model, setting) => [setting === "agent" ? PLAN[model] : 3, 0],
  (_, setting) => [setting === "agent" ? 0 : 2, 0],
  // Trivial for the weak one, intractable for the strong one.
  (model) => [model === "weak" ? 16 : 0, 0],
  // Failures of ours, few, many, all.
  (model) => [PLAN[model] - 1, 1],
  (_, setting) => [0, setting === "agent" ? 1 : 0],
  (model) => [0, PLAN[model]],
  (model, setting) => [setting === "agent" ? 0 : PLAN[model], setting === "agent" ? PLAN[model] : 0],
  // Anything.
  (model, _, below) => {
    const failed = below(4) === 0 ? below(PLAN[model]) : 0;
    return [below(PLAN[model] - failed + 1), failed];
  },
  (model, _, below) => [below(2) === 0 ? 0 : PLAN[model], 0],
];

/** Judged samples of many questions, in an order of their own. */
function rollouts(questions: number): ScoredSample[] {
  const below = numbers(7);
  const samples: ScoredSample[] = [];
  for (let question = 0; question < questions; question += 1) {
    const kind = KINDS[question % KINDS.length] as Kind;
    for (const model of ["weak", "strong"] as const) {
      for (const setting of SETTINGS) {
        const [right, failed] = kind(model, setting, below);
        const cell = Array.from({ length: PLAN[model] }, (_, index) =>
          index < right ? scored(1) : index < right + failed ? unscored("crashed", "") : scored(0),
        );
        for (let place = cell.length - 1; place > 0; place -= 1) {
          const other = below(place + 1);
          [cell[place], cell[other]] = [cell[other] as never, cell[place] as never];
        }
        for (const [index, verdict] of cell.entries()) {
          const name = { name: model, revision: "1" };
          samples.push(
            sample(`q${String(question).padStart(4, "0")}`, index, verdict, { model: name, setting }),
          );
        }
      }
    }
  }
  return samples;
}

interface Rule {
  readonly agree: "all" | "any";
  readonly trivialFrom: number;
  readonly intractableTo: number;
}

/** The bucket of a question, counted again from its raw samples. */
function bucketOf(samples: readonly ScoredSample[], { agree, trivialFrom, intractableTo }: Rule): string {
  const scores = (model: string, setting: string): number[] =>
    samples.flatMap((row) => {
      const verdict = row.verdicts["bird-ex"];
      const isOfCell = row.model.name === model && row.setting === setting;
      return isOfCell && verdict?.status === "scored" ? [verdict.score] : [];
    });
  const holds = (model: Model, settles: (share: number) => boolean): boolean => {
    const each = SETTINGS.map((setting) => {
      const cell = scores(model, setting);
      const share = cell.filter((score) => score === 1).length / cell.length;
      return cell.length >= PLAN[model] && settles(share);
    });
    return agree === "all" ? each.every(Boolean) : each.some(Boolean);
  };
  const isScored = ["weak", "strong"].some((model) =>
    SETTINGS.some((setting) => scores(model, setting).length > 0),
  );
  if (!isScored) return "all_unscored";
  if (holds("weak", (share) => share >= trivialFrom)) return "trivial";
  return holds("strong", (share) => share <= intractableTo) ? "intractable" : "kept";
}

const SAMPLES = rollouts(390);
const BY_NAME = new Map<string, ScoredSample[]>();
for (const row of SAMPLES) {
  const name = row.exampleId.slice(0, 5);
  BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), row]);
}
const NAMES = [...BY_NAME.keys()];

async function bucketsOf(samples: readonly ScoredSample[], rule: Rule): Promise<Map<string, string>> {
  const examples = NAMES.map((name) => example(name));
  const { rates } = await runStage(passRatesStage, { examples, samples, groups: [] }, {});
  const common = { settings: [...SETTINGS], agree: rule.agree };
  const options = {
    trivial: { ...common, models: ["weak"], minimumN: 16, rate: rule.trivialFrom },
    intractable: { ...common, models: ["strong"], minimumN: 32, rate: rule.intractableTo },
  };
  const inputs = { examples, golds: NAMES.map((name) => goldRow(name)), rates };
  const { kept, dropped } = await runStage(filterStage, inputs, options);
  return new Map([
    ...kept.map(({ sourceId }) => [sourceId, "kept"] as const),
    ...dropped.map(({ sourceId, reason }) => [sourceId, reason] as const),
  ]);
}

describe.each([
  { agree: "all", trivialFrom: 1, intractableTo: 0 },
  { agree: "any", trivialFrom: 1, intractableTo: 0 },
  { agree: "all", trivialFrom: 0.9, intractableTo: 0.1 },
  { agree: "any", trivialFrom: 0.75, intractableTo: 0.25 },
] as const)("with %j", (rule) => {
  it("every question is in the bucket that its raw samples say, however they arrive", async () => {
    const expected = new Map([...BY_NAME].map(([name, rows]) => [name, bucketOf(rows, rule)]));
    const buckets = await bucketsOf(SAMPLES, rule);
    expect(buckets).toEqual(expected);
    expect(new Set(buckets.values()).size).toBe(4);
    const arrived = [...BY_NAME.values()].flatMap((rows) => [...rows].reverse());
    expect(await bucketsOf(arrived, rule)).toEqual(expected);
  });
});
