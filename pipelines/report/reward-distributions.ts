import type { Artifact } from "../../io/artifact-store.ts";
import { compareText } from "../../curation/compare-text.ts";
import type { RewardReport } from "./report-document.ts";
import { looseRows, recordOf, type ReportSource } from "./report-source.ts";

const BINS = 20;

/** The distribution of what each step called `rewards` gave: rows with a number `total`, and `terms` by name. */
export async function rewardDistributions(source: ReportSource): Promise<RewardReport[]> {
  const reports: RewardReport[] = [];
  for (const [step, artifact] of source.artifacts) {
    if (!/(^|-)rewards(-|$)/.test(step)) continue;
    for (const port of Object.keys(artifact.manifest.outputs)) {
      const report = await distributionOf(step, artifact, port);
      if (report !== null) reports.push(report);
    }
  }
  return reports;
}

interface Figures {
  count: number;
  sum: number;
  min: number;
  max: number;
}

async function distributionOf(step: string, artifact: Artifact, port: string): Promise<RewardReport | null> {
  const totals = emptyFigures();
  const terms = new Map<string, Figures>();
  for await (const row of looseRows(artifact, port)) {
    const { total } = row as { total?: unknown };
    if (typeof total !== "number" || !Number.isFinite(total)) continue;
    add(totals, total);
    for (const [name, value] of termsOf(row["terms"])) {
      const figures = terms.get(name) ?? emptyFigures();
      terms.set(name, figures);
      add(figures, value);
    }
  }
  if (totals.count === 0) return null;
  return {
    step,
    port,
    ...shown(totals),
    bins: await binsOf(artifact, port, totals),
    terms: [...terms]
      .sort(([left], [right]) => compareText(left, right))
      .map(([name, figures]) => ({ name, ...shown(figures) })),
  };
}

/** A second reading, now that the ends are known; equal rewards are one bin. */
async function binsOf(
  artifact: Artifact,
  port: string,
  { min, max }: Figures,
): Promise<RewardReport["bins"]> {
  const count = min === max ? 1 : BINS;
  const width = (max - min) / count;
  const bins = Array.from({ length: count }, (_, index) => ({
    from: min + index * width,
    to: index === count - 1 ? max : min + (index + 1) * width,
    count: 0,
  }));
  for await (const { total } of looseRows(artifact, port) as AsyncGenerator<{ total?: unknown }>) {
    if (typeof total !== "number" || !Number.isFinite(total)) continue;
    const place = width === 0 ? 0 : Math.min(count - 1, Math.floor((total - min) / width));
    (bins[place] as { count: number }).count += 1;
  }
  return bins;
}

/** Terms as `{name: number}`, `{name: {value}}`, or a list of `{name, value}`. */
function termsOf(value: unknown): (readonly [string, number])[] {
  const entries: (readonly [unknown, unknown])[] = Array.isArray(value)
    ? value.map((term: unknown) => [recordOf(term)?.["name"] ?? recordOf(term)?.["id"], term] as const)
    : Object.entries(recordOf(value) ?? {});
  return entries.flatMap(([name, term]) => {
    const fields = recordOf(term);
    const number = fields === undefined ? term : (fields["value"] ?? fields["score"]);
    return typeof name === "string" && typeof number === "number" && Number.isFinite(number)
      ? [[name, number] as const]
      : [];
  });
}

function emptyFigures(): Figures {
  return { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
}

function add(figures: Figures, value: number): void {
  figures.count += 1;
  figures.sum += value;
  figures.min = Math.min(figures.min, value);
  figures.max = Math.max(figures.max, value);
}

function shown({ count, sum, min, max }: Figures): {
  count: number;
  mean: number;
  min: number;
  max: number;
} {
  return { count, mean: sum / count, min, max };
}
