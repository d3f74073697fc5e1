import { z } from "zod";
import type { Curriculum, CurriculumItem, CurriculumPlace } from "../core/curriculum.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { SeededRandom } from "../core/random.ts";
import { DroppedExample, OrderedExample, SelectedTrajectory, SplitExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";

/**
 * Puts the examples of each split in the order of a curriculum: all of train, then all of validation, each
 * with ranks dense from 0. What the curriculum leaves out of train is `dropped`; `all` has it too, after the rest of
 * its split on a level of its own: for rows of trajectories, which are learned all the same. Holds the rows, without
 * questions or SQL, in memory.
 * @throws ORDER_RATE_STOPPED for an example whose sampling stopped early under a curriculum that reads rates;
 * ORDER_PLACES_BROKEN for a curriculum that does not give every example one place.
 */
export const orderStage = defineStage({
  name: "order",
  version: 2,
  inputs: { examples: SplitExample, loaded: Example, selected: SelectedTrajectory },
  outputs: { examples: OrderedExample, dropped: DroppedExample, all: OrderedExample },
  options: z.strictObject({
    curriculum: z.string().default("easy-to-hard"),
    levels: z.int().positive().default(3),
    options: z.record(z.string(), z.json()).default({}),
  }),
  balances: [{ input: "examples", outputs: ["examples", "dropped"] }],
  plugs: (options) => [{ kind: "curriculum", id: options.curriculum }],
  async *run({ inputs, options, context }) {
    const curriculum = await context.plugs.find("curriculum", options.curriculum);
    const given: unknown = curriculum.options.parse(options.options);
    const datasets = new Map<string, string>();
    for await (const { id, dataset } of inputs.loaded()) datasets.set(id, dataset.name);
    const taught = new Set<string>();
    for await (const { exampleId } of inputs.selected()) taught.add(exampleId);
    const examples = { train: [] as SplitExample[], validation: [] as SplitExample[] };
    for await (const example of inputs.examples()) {
      if (curriculum.needsRates && !example.complete) throw noRate(example, curriculum.id);
      examples[example.split].push(example);
    }
    for (const split of ["train", "validation"] as const) {
      const items = examples[split].map((row) => itemOf(row, datasets, taught));
      const leftOut = (split === "train" ? curriculum.leavesOut?.(items, given) : undefined) ?? NOTHING;
      const random = new SeededRandom(context.seed, "order", curriculum.id, split);
      const ordered = placed(curriculum, { rows: examples[split], items, leftOut }, [
        options.levels,
        random,
        given,
      ]);
      for (const row of ordered) yield { port: "examples", row } as const;
      for (const { exampleId, sourceId, databaseId } of examples[split]) {
        const reason = leftOut.get(exampleId);
        if (reason === undefined) continue;
        const message = `the curriculum ${curriculum.id} leaves it out`;
        yield { port: "dropped", row: { exampleId, sourceId, databaseId, reason, message } } as const;
      }
      for (const row of [...ordered, ...behind(ordered, examples[split], leftOut)]) {
        yield { port: "all", row } as const;
      }
    }
  },
});

const NOTHING: ReadonlyMap<string, string> = new Map();

function itemOf(
  { exampleId, position, hardness, n, c }: SplitExample,
  datasets: ReadonlyMap<string, string>,
  taught: ReadonlySet<string>,
): CurriculumItem {
  const dataset = datasets.get(exampleId);
  const known = dataset === undefined ? {} : { dataset };
  return { exampleId, position, hardness, n, c, ...known, taught: taught.has(exampleId) };
}

/** The rows that are not left out, in the order of the curriculum. */
function placed(
  curriculum: Curriculum,
  of: {
    readonly rows: readonly SplitExample[];
    readonly items: readonly CurriculumItem[];
    readonly leftOut: ReadonlyMap<string, string>;
  },
  [levels, random, options]: readonly [number, SeededRandom, unknown],
): OrderedExample[] {
  const isIn = ({ exampleId }: { readonly exampleId: string }): boolean => !of.leftOut.has(exampleId);
  const places = curriculum.order(of.items.filter(isIn), levels, random, options);
  return inPlace(of.rows.filter(isIn), places, curriculum.id);
}

/** The rows that are left out, as they stand behind the others. */
function behind(
  ordered: readonly OrderedExample[],
  rows: readonly SplitExample[],
  leftOut: ReadonlyMap<string, string>,
): OrderedExample[] {
  const level = 1 + ordered.reduce((last, row) => Math.max(last, row.level), -1);
  return rows
    .filter(({ exampleId }) => leftOut.has(exampleId))
    .map((row, index) => ({ ...row, level, rank: ordered.length + index }));
}

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
