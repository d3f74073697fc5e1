import { z } from "zod";
import type { CurriculumPlace } from "../core/curriculum.ts";
import { GradusError } from "../core/errors.ts";
import { SeededRandom } from "../core/random.ts";
import { OrderedExample, SplitExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";

/**
 * Puts the examples of each split in the order of a curriculum: all of train, then all of validation, each
 * with ranks dense from 0. Holds the rows, without questions or SQL, in memory.
 * @throws ORDER_RATE_STOPPED for an example whose sampling stopped early under a curriculum that reads rates;
 * ORDER_PLACES_BROKEN for a curriculum that does not give every example one place.
 */
export const orderStage = defineStage({
  name: "order",
  version: 1,
  inputs: { examples: SplitExample },
  outputs: { examples: OrderedExample },
  options: z.strictObject({
    curriculum: z.string().default("easy-to-hard"),
    levels: z.int().positive().default(3),
  }),
  balances: [{ input: "examples", outputs: ["examples"] }],
  plugs: (options) => [{ kind: "curriculum", id: options.curriculum }],
  async *run({ inputs, options, context }) {
    const curriculum = await context.plugs.find("curriculum", options.curriculum);
    const examples = { train: [] as SplitExample[], validation: [] as SplitExample[] };
    for await (const example of inputs.examples()) {
      if (curriculum.needsRates && !example.complete) throw noRate(example, curriculum.id);
      examples[example.split].push(example);
    }
    for (const split of ["train", "validation"] as const) {
      const random = new SeededRandom(context.seed, "order", curriculum.id, split);
      const places = curriculum.order(examples[split], options.levels, random);
      for (const row of inPlace(examples[split], places, curriculum.id)) {
        yield { port: "examples", row } as const;
      }
    }
  },
});

function inPlace(
  examples: readonly SplitExample[],
  places: readonly CurriculumPlace[],
  curriculum: string,
): OrderedExample[] {
  const placeOf = new Map(places.map((place) => [place.exampleId, place]));
  const ordered: OrderedExample[] = [];
  for (const example of examples) {
    const place = placeOf.get(example.exampleId);
    if (place === undefined || place.rank >= examples.length || ordered[place.rank] !== undefined) {
      throw placesBroken(curriculum, example.exampleId, place);
    }
    ordered[place.rank] = { ...example, level: place.level, rank: place.rank };
  }
  return ordered;
}

function noRate({ exampleId }: SplitExample, curriculum: string): GradusError {
  return new GradusError(
    "ORDER_RATE_STOPPED",
    `cannot order example ${exampleId} by ${curriculum}: its sampling stopped early, expected a pass rate over all samples`,
    {
      site: { stage: "order", plug: curriculum, rowId: exampleId },
      hint: "sample without early stop, or choose a curriculum that reads no rates",
    },
  );
}

function placesBroken(
  curriculum: string,
  exampleId: string,
  place: CurriculumPlace | undefined,
): GradusError {
  const got = place === undefined ? "no place" : `rank ${place.rank}, which is taken or out of range`;
  return new GradusError(
    "ORDER_PLACES_BROKEN",
    `curriculum ${curriculum} gives example ${exampleId} ${got}, expected one rank for each example, dense from 0`,
    {
      site: { stage: "order", plug: curriculum, rowId: exampleId },
      hint: "this is a defect of the curriculum: run its conformance suite",
    },
  );
}
