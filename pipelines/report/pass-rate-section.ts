import { histogramDrawing } from "./bar-drawings.ts";
import { gridDrawing } from "./grid-drawing.ts";
import { seriesColour } from "./plot-style.ts";
import type { PassRateReport, ReportDocument } from "./report-document.ts";
import { type Cell, numberAt, type ReportFigure, type ReportSection } from "./report-sections.ts";

/** How often questions are answered right, and how that goes with their hardness. */
export function passRateSection(document: ReportDocument): ReportSection | null {
  const { passRates } = document;
  if (passRates === null) return null;
  return {
    id: "pass-rates-section",
    title: "Pass rates",
    lead: `By ${passRates.metric}.`,
    figures: [histogramFigure(document, passRates), jointFigure(document, passRates)],
  };
}

function histogramFigure(document: ReportDocument, { systems }: PassRateReport): ReportFigure {
  const binRows = systems.flatMap(({ system, bins }, place) =>
    bins.map((bin, index): Cell[] => [
      system,
      bin.label,
      numberAt(document, ["passRates", "systems", place, "bins", index, "count"], "count"),
    ]),
  );
  const apart = systems.flatMap(({ system }, place): Cell[][] => [
    [
      system,
      "sampling stopped early",
      numberAt(document, ["passRates", "systems", place, "stopped"], "count"),
    ],
    [system, "no scored answer", numberAt(document, ["passRates", "systems", place, "unrated"], "count")],
  ]);
  return {
    id: "pass-rates",
    title: "Questions by the share of their answers that are right",
    note: "Left: never right. Right: always right. What lies between can be learned from.",
    description: `Histograms of pass rates, one for each of: ${systems.map(({ system }) => system).join("; ")}.`,
    plot: histogramDrawing(
      systems.map(({ system, bins }, place) => ({ name: system, colour: seriesColour(place), bins })),
    ),
    legend: [],
    table: {
      caption: "Questions by pass rate",
      columns: ["answers", "right", "questions"],
      rows: [...binRows, ...apart],
    },
  };
}

function jointFigure(document: ReportDocument, { classes, byHardness }: PassRateReport): ReportFigure {
  return {
    id: "hardness-by-rate",
    title: "Hardness against pass rate",
    note: "Questions by hardness and by the share of all their answers that are right.",
    description: `A grid of ${byHardness.length} levels of hardness by ${classes.length} classes of pass rate.`,
    plot:
      byHardness.length === 0
        ? null
        : gridDrawing(
            classes,
            byHardness.map(({ hardness, counts }) => ({ name: hardness, counts })),
          ),
    legend: [],
    table: {
      caption: "Questions by hardness and pass rate",
      columns: ["hardness", ...classes, "all"],
      rows: byHardness.map(({ hardness, counts }, row) => [
        hardness,
        ...counts.map((_, column) =>
          numberAt(document, ["passRates", "byHardness", row, "counts", column], "count"),
        ),
        numberAt(document, ["passRates", "byHardness", row, "total"], "count"),
      ]),
    },
  };
}
