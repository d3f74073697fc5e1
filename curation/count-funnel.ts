import { z } from "zod";
import { Example } from "../core/example.ts";
import { DroppedExample, OrderedExample, PassedOverTrajectory, SelectedTrajectory } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";

/** A line of the funnel in a dataset card: `depth` 0 is a total, deeper lines are its parts. */
export const FunnelCount = z.strictObject({
  name: z.string(),
  count: z.int().nonnegative(),
  depth: z.int().nonnegative(),
});
export type FunnelCount = z.infer<typeof FunnelCount>;

/**
 * Counts the way of questions and answers for dataset cards. Questions that neither the filter nor the curriculum
 * dropped nor the order has were dropped between them, as duplicates or because they give a guarded split away.
 */
export const countFunnelStage = defineStage({
  name: "count-funnel",
  version: 1,
  inputs: {
    examples: Example,
    dropped: DroppedExample,
    /** What the curriculum leaves out. */
    leftOut: DroppedExample,
    ordered: OrderedExample,
    selected: SelectedTrajectory,
    passedOver: PassedOverTrajectory,
  },
  outputs: { funnel: FunnelCount },
  options: z.strictObject({}),
  async *run({ inputs }) {
    const examples = total(await counted(inputs.examples(), () => "loaded"));
    const dropped = await counted(inputs.dropped(), ({ reason }) => reason);
    const leftOut = await counted(inputs.leftOut(), ({ reason }) => reason);
    const ordered = await counted(inputs.ordered(), ({ split }) => split);
    const later = examples - total(dropped) - total(leftOut) - total(ordered);
    const questions = [
      ...dropped,
      ...(later > 0 ? [["duplicate_or_guarded", later] as const] : []),
      ...leftOut,
      ...ordered,
    ];
    const selected = total(await counted(inputs.selected(), () => "chosen"));
    const passedOver = await counted(inputs.passedOver(), ({ reason }) => reason);
    const answers = [...passedOver, ["chosen", selected] as const];
    for (const row of lines("questions", questions)) yield { port: "funnel", row } as const;
    for (const row of lines("answers", answers)) yield { port: "funnel", row } as const;
  },
});

async function counted<T>(
  rows: AsyncIterable<T>,
  nameOf: (row: T) => string,
): Promise<(readonly [string, number])[]> {
  const counts = new Map<string, number>();
  for await (const row of rows) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}

function total(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

function lines(name: string, parts: readonly (readonly [string, number])[]): FunnelCount[] {
  return [
    { name, count: total(parts), depth: 0 },
    ...parts.map(([part, count]) => ({ name: part, count, depth: 1 })),
  ];
}
