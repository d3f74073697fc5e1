import { z } from "zod";
import { SeededRandom } from "../core/random.ts";
import { PassedOverTrajectory, SplitExample } from "../core/rows.ts";
import { TaughtCandidate } from "../core/self-taught.ts";
import { defineStage } from "../core/stage.ts";

const QuotaOptions = z.strictObject({
  /** Questions that may be used, drawn from all; `null` for all. */
  sampled: z.int().positive().nullable().default(null),
  /** Questions to keep. */
  kept: z.int().positive(),
  /** Share of each hardness; one that is not named has none until the others are used up. */
  weights: z.record(z.string(), z.number().nonnegative()),
});
type QuotaOptions = z.infer<typeof QuotaOptions>;

/**
 * Keeps the candidates of so many questions, by hardness: seeded draws fill each hardness up to its share, and what
 * one cannot fill goes to those that can, by their weights. Others are passed over as `over_quota` or `not_sampled`.
 * How much medium and hard are favoured is not in the paper. @paper SQL-Trail, the SFT set
 */
export const quotaStage = defineStage({
  name: "teach-quota",
  version: 1,
  inputs: { kept: SplitExample, candidates: TaughtCandidate, passedOver: PassedOverTrajectory },
  outputs: { candidates: TaughtCandidate, passedOver: PassedOverTrajectory },
  options: QuotaOptions,
  async *run({ inputs, options, context }) {
    const hardness = new Map<string, string>();
    for await (const row of inputs.kept()) hardness.set(row.exampleId, row.hardness ?? "unknown");
    const taught = new Set<string>();
    for await (const { exampleId } of inputs.candidates()) taught.add(exampleId);
    const sampled = sampledQuestions([...hardness.keys()], options, context.seed);
    const usable = [...taught].filter((id) => sampled.has(id));
    const chosen = fillQuota(usable, { hardness, options, seed: context.seed });
    for await (const row of inputs.passedOver()) yield { port: "passedOver", row } as const;
    for await (const row of inputs.candidates()) {
      if (chosen.has(row.exampleId)) yield { port: "candidates", row } as const;
      else {
        const { trajectoryId, exampleId } = row;
        const reason = sampled.has(exampleId) ? "over_quota" : "not_sampled";
        yield { port: "passedOver", row: { trajectoryId, exampleId, reason } } as const;
      }
    }
  },
});

function sampledQuestions(
  ids: readonly string[],
  { sampled }: QuotaOptions,
  seed: number,
): ReadonlySet<string> {
  if (sampled === null) return new Set(ids);
  return new Set(new SeededRandom(seed, "teach-sampled").shuffle([...ids].sort()).slice(0, sampled));
}

/** The questions that are kept. */
export function fillQuota(
  ids: readonly string[],
  {
    hardness,
    options,
    seed,
  }: {
    readonly hardness: ReadonlyMap<string, string>;
    readonly options: QuotaOptions;
    readonly seed: number;
  },
): ReadonlySet<string> {
  const queues = new Map<string, string[]>();
  for (const id of new SeededRandom(seed, "teach-quota").shuffle([...ids].sort())) {
    const level = hardness.get(id) ?? "unknown";
    queues.set(level, [...(queues.get(level) ?? []), id]);
  }
  const chosen = new Set<string>();
  const levels = [...queues.keys()].sort();
  const counts = new Map(levels.map((level) => [level, 0]));
  while (chosen.size < options.kept) {
    const open = levels.filter((level) => (queues.get(level)?.length ?? 0) > 0);
    if (open.length === 0) break;
    const weighted = open.filter((level) => (options.weights[level] ?? 0) > 0);
    const owed = (level: string): number => (counts.get(level) ?? 0) / (options.weights[level] ?? 1);
    const [next] = (weighted.length > 0 ? weighted : open).sort(
      (left, right) => owed(left) - owed(right) || (left < right ? -1 : 1),
    );
    const id = queues.get(next ?? "")?.shift();
    if (next === undefined || id === undefined) break;
    counts.set(next, (counts.get(next) ?? 0) + 1);
    chosen.add(id);
  }
  return chosen;
}
