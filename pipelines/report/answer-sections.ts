import { partsOfGroup } from "./accuracy-tally.ts";
import { seriesColour } from "./plot-style.ts";
import { costDrawing, whiskersDrawing } from "./point-drawings.ts";
import type { AnsweredSet, ReportDocument } from "./report-document.ts";
import {
  type Cell,
  type Legend,
  numberAt,
  type ReportFigure,
  type ReportSection,
} from "./report-sections.ts";

/** Systems that plots show; tables show all. */
const MOST_PLOTTED = 6;

/** Rows of a table in the page. */
const MOST_ROWS = 500;

/** A group as a person reads it. */
export function groupLabel(group: string): string {
  const { kind, name } = partsOfGroup(group);
  if (kind === "all") return "all questions";
  if (kind === "interactions") return "whole dialogues";
  if (kind === "dataset") return name.replace(/ unrecognised-[0-9a-f]+/, "");
  return `${kind} ${name}`;
}

function titleOf(set: AnsweredSet): string {
  return set.name === "questions" ? "Accuracy" : "Accuracy of the evaluation";
}

/** Accuracy with intervals, by system and group, a figure for each metric. */
export function accuracySection(document: ReportDocument, place: number): ReportSection | null {
  const set = document.sets[place];
  if (set === undefined || set.accuracy.length === 0) return null;
  const metrics = [...new Set(set.accuracy.map(({ metric }) => metric))];
  const ordered = [set.metric, ...metrics.filter((metric) => metric !== set.metric)];
  return {
    id: `accuracy-${place}`,
    title: titleOf(set),
    lead: [
      "Over ",
      numberAt(document, ["sets", place, "questions"], "count"),
      " questions and ",
      numberAt(document, ["sets", place, "answers"], "count"),
      " answers. Questions that cannot be judged are counted apart. Intervals are Wilson's at 95 percent; several answers to one question count for what they are worth.",
    ],
    figures: ordered.map((metric) => accuracyFigure(document, place, metric)),
  };
}

function accuracyFigure(document: ReportDocument, place: number, metric: string): ReportFigure {
  const set = document.sets[place] as AnsweredSet;
  const datasets = new Set(set.accuracy.flatMap(({ group }) => (isDataset(group) ? [group] : [])));
  const rows = set.accuracy.flatMap((row, index) =>
    row.metric === metric && (datasets.size > 1 || !isDataset(row.group)) ? [{ row, index }] : [],
  );
  const systems = systemsOf(set);
  const whiskers = rows.flatMap(({ row: { system, group, mean, low, high } }) => {
    const colour = systems.indexOf(system);
    if (mean === null || low === null || high === null || colour === -1) return [];
    return [{ group: groupLabel(group), system, mean, low, high, colour: seriesColour(colour) }];
  });
  const isShare = whiskers.every(({ low, high }) => low >= 0 && high <= 1);
  return {
    id: `accuracy-${place}-${metric}`,
    title: `${metric}, percent`,
    note: rows.length <= MOST_ROWS ? "" : `The first ${MOST_ROWS} rows; report.json has all ${rows.length}.`,
    description: whiskers
      .map(({ group, system, mean }) => `${group}, ${system}: ${(mean * 100).toFixed(1)} percent.`)
      .join(" "),
    plot: isShare && whiskers.length > 0 ? whiskersDrawing(whiskers) : null,
    legend: legendOf(set),
    table: {
      caption: `Accuracy by ${metric}`,
      columns: [
        "over",
        "answers by",
        "accuracy, %",
        "95 % interval",
        "questions",
        "answers",
        "unscored",
        "unjudged",
      ],
      rows: rows.slice(0, MOST_ROWS).map(({ row, index }): Cell[] => {
        const path = (field: string): (string | number)[] => ["sets", place, "accuracy", index, field];
        return [
          groupLabel(row.group),
          row.system,
          numberAt(document, path("mean"), "percent"),
          [numberAt(document, path("low"), "percent"), " – ", numberAt(document, path("high"), "percent")],
          numberAt(document, path("questions"), "count"),
          numberAt(document, path("answers"), "count"),
          numberAt(document, path("unscored"), "count"),
          numberAt(document, path("unexecutable"), "count"),
        ];
      }),
    },
  };
}

/** The only dataset says what all questions say. */
function isDataset(group: string): boolean {
  return partsOfGroup(group).kind === "dataset";
}

function systemsOf(set: AnsweredSet): string[] {
  return set.systems.slice(0, MOST_PLOTTED).map(({ label }) => label);
}

function legendOf(set: AnsweredSet): Legend {
  return systemsOf(set).map((name, place) => ({ name, colour: seriesColour(place) }));
}

/** What answers took, against how many were right; `null` where no server said. */
export function costSection(document: ReportDocument, place: number): ReportSection | null {
  const set = document.sets[place];
  const isKnown = set?.cost.some((row) => row.tokensPerAnswer !== null || row.costUsd !== null) ?? false;
  if (set === undefined || !isKnown) return null;
  const systems = systemsOf(set);
  const hasMoney = set.cost.every(({ costUsd }) => costUsd !== null);
  const points = set.cost.flatMap(({ system, mean, low, high, ...row }) => {
    const cost = hasMoney ? (row.costUsdPerAnswer ?? 0) * 1000 : row.tokensPerAnswer;
    const colour = systems.indexOf(system);
    if (cost === null || mean === null || low === null || high === null || colour === -1) return [];
    return [{ system, cost, mean, low, high, colour: seriesColour(colour) }];
  });
  const unit = hasMoney ? "US dollars a thousand answers" : "tokens an answer";
  const figures: ReportFigure[] = [
    {
      id: `cost-${place}`,
      title: `Accuracy against ${unit}`,
      note: "Up and to the left is better.",
      description: points
        .map(
          (point) =>
            `${point.system}: ${point.cost.toPrecision(3)} ${unit}, ${(point.mean * 100).toFixed(1)} percent.`,
        )
        .join(" "),
      plot: points.length === 0 ? null : costDrawing(points, unit),
      legend: points.length === 0 ? [] : legendOf(set),
      table: costTable(document, place),
    },
    stopFigure(document, place),
  ];
  const title = set.name === "questions" ? "Cost" : "Cost of the evaluation";
  return { id: `cost-section-${place}`, title, lead: "Tokens as the server counted them.", figures };
}

function costTable(document: ReportDocument, place: number): ReportFigure["table"] {
  const set = document.sets[place] as AnsweredSet;
  return {
    caption: "What answers took",
    columns: [
      "answers by",
      "accuracy, %",
      "tokens an answer",
      "cost an answer",
      "replies",
      "tool calls",
      "answers",
      "prompt tokens",
      "completion tokens",
      "cost",
    ],
    rows: set.cost.map(({ system }, index) => {
      const number = (field: string, form: "count" | "percent" | "decimal" | "money") =>
        numberAt(document, ["sets", place, "cost", index, field], form);
      return [
        system,
        number("mean", "percent"),
        number("tokensPerAnswer", "count"),
        number("costUsdPerAnswer", "money"),
        number("repliesPerAnswer", "decimal"),
        number("toolCallsPerAnswer", "decimal"),
        number("answers", "count"),
        number("promptTokens", "count"),
        number("completionTokens", "count"),
        number("costUsd", "money"),
      ];
    }),
  };
}

function stopFigure(document: ReportDocument, place: number): ReportFigure {
  const set = document.sets[place] as AnsweredSet;
  const rows = set.cost.flatMap(({ system, stopReasons }, row) =>
    stopReasons.map(({ reason }, index): Cell[] => [
      system,
      reason.replaceAll("_", " "),
      numberAt(document, ["sets", place, "cost", row, "stopReasons", index, "count"], "count"),
    ]),
  );
  return {
    id: `stops-${place}`,
    title: "How episodes ended",
    note: "",
    description: "",
    plot: null,
    legend: [],
    table: { caption: "How episodes ended", columns: ["answers by", "end", "answers"], rows },
  };
}

/** The tables of an evaluation, as they were found. */
export function foundSection(document: ReportDocument): ReportSection | null {
  if (document.evaluation.length === 0) return null;
  const figures = document.evaluation.map(
    (table, place): ReportFigure => ({
      id: `evaluation-${place}`,
      title: table.title,
      note: table.more === 0 ? "" : `The first ${table.rows.length} rows; evaluation.json has them all.`,
      description: "",
      plot: null,
      legend: [],
      table: {
        caption: table.title,
        columns: table.columns.map((column) => column),
        rows: table.rows.map((row, index) =>
          row.map(
            (value, column): Cell =>
              typeof value === "number"
                ? numberAt(document, ["evaluation", place, "rows", index, column], "plain")
                : value === null
                  ? ""
                  : String(value),
          ),
        ),
      },
    }),
  );
  return { id: "evaluation", title: "Evaluation", lead: "The tables of evaluation.json.", figures };
}
