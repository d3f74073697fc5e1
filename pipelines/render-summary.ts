import type { AccuracyRow } from "./accuracy.ts";
import type { FunnelLine } from "./funnel.ts";
import type { StepReport } from "./reporter.ts";
import type { RunSummary } from "./run-training-set.ts";

/** The funnel for a person: totals, and their parts below, numbers aligned. */
export function renderFunnel(lines: readonly FunnelLine[]): string {
  const names = lines.map((line) => `${"  ".repeat(line.depth)}${line.name.replaceAll("_", " ")}`);
  const width = Math.max(...names.map((name) => name.length), 0);
  const digits = Math.max(...lines.map((line) => String(line.count).length), 0);
  return lines
    .map((line, index) => `${names[index]?.padEnd(width)}  ${String(line.count).padStart(digits)}`)
    .join("\n");
}

function percent(value: number | null): string {
  return value === null ? "-" : (value * 100).toFixed(1);
}

/**
 * Accuracy over all questions, in percent: a line for each imported file, with its 95% interval (`names` gives
 * the file behind a system); a line for each sampled model, the mean over its samples with the lowest and the
 * highest.
 */
export function renderAccuracy(
  rows: readonly AccuracyRow[],
  names: Readonly<Record<string, string>>,
): string {
  const lines: { name: string; metric: string; n: string; mean: string; note: string }[] = [];
  const sampled = new Map<string, AccuracyRow[]>();
  for (const row of rows.filter(({ group }) => group === "all")) {
    const name = names[row.system];
    if (name === undefined) {
      const key = JSON.stringify([row.model, row.setting, row.metric]);
      sampled.set(key, [...(sampled.get(key) ?? []), row]);
      continue;
    }
    const apart = row.unexecutable + row.unscored;
    const note = `${percent(row.low)} - ${percent(row.high)}${apart > 0 ? `  (${apart} not judged)` : ""}`;
    lines.push({ name, metric: row.metric, n: String(row.n), mean: percent(row.mean), note });
  }
  for (const group of sampled.values()) lines.push(sampledLine(group));
  const width = Math.max(...lines.map(({ name }) => name.length), 7);
  const shown = lines.map(
    ({ name, metric, n, mean, note }) =>
      `${name.padEnd(width)}  ${metric.padEnd(10)}  ${n.padStart(5)}  ${mean.padStart(8)}  ${note}`,
  );
  return [`${"answers".padEnd(width)}  ${"metric".padEnd(10)}  ${"n".padStart(5)}  accuracy`, ...shown].join(
    "\n",
  );
}

function sampledLine(group: readonly AccuracyRow[]): {
  name: string;
  metric: string;
  n: string;
  mean: string;
  note: string;
} {
  const [first] = group as [AccuracyRow];
  const means = group.flatMap((row) => (row.mean === null ? [] : [row.mean]));
  const mean = means.length === 0 ? null : means.reduce((sum, value) => sum + value, 0) / means.length;
  const range =
    means.length < 2
      ? `${percent(first.low)} - ${percent(first.high)}`
      : `${percent(Math.min(...means))} - ${percent(Math.max(...means))} over ${group.length} samples`;
  const name = `${first.model.name}, ${first.setting}`;
  return { name, metric: first.metric, n: String(first.n), mean: percent(mean), note: range };
}

/** Accuracy of each system by group: all, difficulty, hardness, turn; the official scripts' buckets. */
export function renderGroups(rows: readonly AccuracyRow[]): string {
  const width = Math.max(...rows.map((row) => row.group.length), 5);
  const blocks = new Map<string, string[]>();
  for (const row of rows) {
    const title = `${row.model.name}, ${row.metric}`;
    const lines = blocks.get(title) ?? [`${"group".padEnd(width)}      n  accuracy  95% interval`];
    const apart = [
      ...(row.unexecutable > 0 ? [`${row.unexecutable} unexecutable`] : []),
      ...(row.unscored > 0 ? [`${row.unscored} unscored`] : []),
      ...(row.missing > 0 ? [`${row.missing} missing`] : []),
    ];
    const note = apart.length === 0 ? "" : `  (${apart.join(", ")})`;
    lines.push(
      `${row.group.padEnd(width)}  ${String(row.n).padStart(5)}  ${percent(row.mean).padStart(8)}  ${percent(row.low)} - ${percent(row.high)}${note}`,
    );
    blocks.set(title, lines);
  }
  return [...blocks].map(([title, lines]) => [title, ...lines].join("\n")).join("\n\n");
}

/** What a run says at its end. */
export function renderSummary(summary: RunSummary): string {
  const parts: string[] = [];
  if (summary.accuracy.length > 0) parts.push(renderAccuracy(summary.accuracy, summary.systems));
  if (summary.evaluation.length > 0) {
    parts.push(renderAccuracy(summary.evaluation, {}).replace(/^answers {3}/, "evaluation"));
  }
  if (summary.funnel.length > 0) parts.push(renderFunnel(summary.funnel));
  if (summary.shards.length > 0) {
    parts.push(["shards", ...summary.shards.map((shard) => `  ${summary.folder}/${shard}`)].join("\n"));
  }
  const ran = summary.steps.filter((step) => step.status === "ran").length;
  const reused = summary.steps.filter((step) => step.status === "reused").length;
  parts.push(`${ran} steps run, ${reused} reused`);
  return parts.join("\n\n");
}

/** What each step would do: nothing, run, or run again and why. */
export function renderPlan(steps: readonly StepReport[]): string {
  const width = Math.max(...steps.map((step) => step.id.length), 0);
  return steps
    .map((step) => {
      const why = step.changed.length === 0 ? "" : ` again: ${step.changed.join("; ")}`;
      return `${step.id.padEnd(width)}  ${step.status === "pending" ? `would run${why}` : "done"}`;
    })
    .join("\n");
}
