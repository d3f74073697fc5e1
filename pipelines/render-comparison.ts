import type { Comparison, Flip } from "../curation/comparison.ts";
import type { ComparisonReport } from "./compare.ts";

/** Flips that are named of each kind. */
const SHOWN = 20;

/** A comparison for a person: a sentence a metric, the figures behind it, and the questions that flipped. */
export function renderComparison(report: ComparisonReport): string {
  const { before, after, questions } = report;
  const apart = [
    ...(questions.onlyBefore > 0 ? [`${questions.onlyBefore} asked only before`] : []),
    ...(questions.onlyAfter > 0 ? [`${questions.onlyAfter} asked only after`] : []),
  ];
  const note = apart.length === 0 ? "" : ` (${apart.join(", ")})`;
  const head = [`before: ${before}`, `after:  ${after}`, `${questions.both} questions${note}`].join("\n");
  return [head, ...report.comparisons.map(renderMetric)].join("\n\n");
}

function renderMetric(comparison: Comparison): string {
  const { metric, mcnemar, interval, onlyBefore, onlyAfter, neither, isBinary } = comparison;
  const unpaired = [
    ...(onlyBefore > 0 ? [`${onlyBefore} scored only before`] : []),
    ...(onlyAfter > 0 ? [`${onlyAfter} scored only after`] : []),
    ...(neither > 0 ? [`${neither} unscored on both sides`] : []),
  ];
  const lines = [
    comparison.sentence,
    `${metric}: ${percent(comparison.before)} before, ${percent(comparison.after)} after; both right ${comparison.bothRight}, both wrong ${comparison.bothWrong}`,
    `${isBinary ? "McNemar" : "of scores that differ"}: exact p ${p(mcnemar.exactP)}; chi-square ${mcnemar.chiSquare.toFixed(3)}, p ${p(mcnemar.chiSquareP)}; corrected ${mcnemar.correctedChiSquare.toFixed(3)}, p ${p(mcnemar.correctedChiSquareP)}`,
    ...(interval === null
      ? []
      : [
          `bootstrap: ${percent(interval.low)} to ${percent(interval.high)} points, ${interval.resamples} resamples`,
        ]),
    ...(unpaired.length === 0 ? [] : [unpaired.join("; ")]),
    flipsOf(isBinary ? "became right" : "scored higher", comparison.gained),
    flipsOf(isBinary ? "became wrong" : "scored lower", comparison.lost),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function flipsOf(title: string, flips: readonly Flip[]): string {
  if (flips.length === 0) return "";
  const shown = flips.slice(0, SHOWN).map(({ sourceId, databaseId }) => `${sourceId} (${databaseId})`);
  const more = flips.length > SHOWN ? `, and ${flips.length - SHOWN} more in --json` : "";
  return `${title}: ${shown.join(", ")}${more}`;
}

function percent(share: number | null): string {
  return share === null ? "-" : (share * 100).toFixed(2);
}

function p(value: number): string {
  return value < 0.0001 ? value.toExponential(2) : value.toFixed(4);
}
