import { compareText } from "../../curation/compare-text.ts";
import { wilsonInterval } from "../../curation/pass-at-k.ts";
import type { AccuracyRow } from "../accuracy.ts";
import type { AccuracyFigure } from "./report-document.ts";
import { systemKey } from "./system-labels.ts";

/**
 * Interaction match by system and metric, from the rows of a run's accuracy table: the mean over its samples, with
 * Wilson's interval for as many answers as there are dialogues. `questions` counts dialogues.
 */
export function interactionFigures(
  rows: readonly AccuracyRow[],
  labels: ReadonlyMap<string, string>,
): AccuracyFigure[] {
  const bySystem = new Map<string, AccuracyRow[]>();
  for (const row of rows) {
    if (row.group !== "interactions") continue;
    const key = JSON.stringify([row.metric, systemKey(row)]);
    bySystem.set(key, [...(bySystem.get(key) ?? []), row]);
  }
  return [...bySystem.values()]
    .map((samples): AccuracyFigure => {
      const [first] = samples as [AccuracyRow];
      const means = samples.flatMap(({ mean }) => (mean === null ? [] : [mean]));
      const mean = means.length === 0 ? null : means.reduce((sum, value) => sum + value, 0) / means.length;
      const sum = (field: "n" | "unscored" | "unexecutable"): number =>
        samples.reduce((total, row) => total + row[field], 0);
      const dialogues = Math.max(...samples.map(({ n }) => n));
      const interval = mean === null ? undefined : wilsonInterval(mean, dialogues);
      return {
        system: labels.get(systemKey(first)) ?? first.system,
        metric: first.metric,
        group: "interactions",
        questions: dialogues,
        answers: sum("n"),
        mean,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        unscored: sum("unscored"),
        unexecutable: sum("unexecutable"),
      };
    })
    .sort((left, right) => compareText(left.metric, right.metric) || compareText(left.system, right.system));
}
