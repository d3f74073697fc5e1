import { oneLineText } from "../../synth/one-line-text.ts";
import type { CorrectionEffect, MovedQuestion } from "./correction-effect.ts";

/** What corrections did, for a person: sums, accuracy, and up to `most` of the questions that moved. */
export function renderCorrectionEffect(effect: CorrectionEffect, most: number): string {
  const { corrections, resampled, newlySampled, verdicts } = effect;
  const fields = Object.entries(corrections.byField).map(([field, count]) => `${count} ${field}`);
  const other = verdicts.other > 0 ? `, ${verdicts.other} to or from no verdict` : "";
  const first = newlySampled > 0 ? `, ${newlySampled} sampled for the first time` : "";
  const head = [
    `${corrections.applied} corrections of ${corrections.questions} questions (${fields.join(", ")})`,
    `${effect.questions - resampled - newlySampled} questions judged again, ${resampled} sampled again${first}`,
    `${verdicts.judgedTwice} answers judged twice by ${verdicts.metric}: ${verdicts.wrongToRight} now right, ${verdicts.rightToWrong} now wrong${other}`,
  ];
  const sections = [head.join("\n"), bucketTable(effect), accuracyTable(effect)];
  if (effect.moved.length > 0) {
    const lines = effect.moved.slice(0, most).map(movedLine);
    const left = effect.moved.length - lines.length;
    const more = left > 0 ? [`  and ${left} more; --json lists all`] : [];
    sections.push([`moved: ${effect.moved.length} questions`, ...lines, ...more].join("\n"));
  }
  return sections.join("\n\n");
}

function bucketTable({ buckets }: CorrectionEffect): string {
  const rows = buckets.map(({ bucket, before, after }) => [
    bucket.replaceAll("_", " "),
    String(before),
    String(after),
    signed(after - before),
  ]);
  const sum = (side: "before" | "after"): string =>
    String(buckets.reduce((total, bucket) => total + bucket[side], 0));
  return table([["questions", "before", "after", ""], ...rows, ["all", sum("before"), sum("after"), ""]]);
}

function accuracyTable({ accuracy }: CorrectionEffect): string {
  const rows = accuracy.map(({ system, setting, metric, before, after }) => [
    `${system} ${setting} ${metric}`,
    percent(before.mean),
    percent(after.mean),
    before.mean === null || after.mean === null ? "" : signed((after.mean - before.mean) * 100, 2),
  ]);
  return table([["accuracy", "before", "after", ""], ...rows]);
}

function movedLine(moved: MovedQuestion): string {
  const { dataset, split, sourceId, databaseId, corrected, from, to, before, after } = moved;
  const what = corrected.length > 0 ? corrected.join(", ") : "an earlier turn";
  const way = from === to ? from : `${from} -> ${to}`;
  const rates = `${before.c}/${before.n} -> ${after.c}/${after.n}`;
  return oneLineText(`  ${dataset} ${split} ${sourceId} (${databaseId}; ${what}): ${way}, right ${rates}`);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function percent(mean: number | null): string {
  return mean === null ? "-" : (mean * 100).toFixed(2);
}

function signed(change: number, digits = 0): string {
  const text = change.toFixed(digits);
  return Number(text) === 0 ? "" : `${change > 0 ? "+" : ""}${text}`;
}
