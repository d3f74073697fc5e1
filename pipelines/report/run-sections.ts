import { compareHardness } from "./hardness.ts";
import { barsDrawing, histogramDrawing, stacksDrawing } from "./bar-drawings.ts";
import { funnelDrawing } from "./funnel-drawing.ts";
import { gridDrawing } from "./grid-drawing.ts";
import { rampColour } from "./plot-style.ts";
import type { ReportDocument } from "./report-document.ts";
import { numberAt, type ReportFigure, type ReportSection } from "./report-sections.ts";

/** A name of the rows as a person reads it: `gold_error` as `gold error`. */
export function spelled(name: string): string {
  return name.replaceAll("_", " ");
}

/** The way of questions and answers through the run. */
export function funnelSection(document: ReportDocument): ReportSection | null {
  const { funnel } = document;
  if (funnel.length === 0) return null;
  const bars = funnel.map(({ name, count, depth, share }) => ({
    name: spelled(name),
    value: count,
    colour: isGoodEnd(name) ? "var(--accent)" : "var(--series-quiet)",
    isHead: depth === 0,
    share: share ?? 0,
  }));
  const figure: ReportFigure = {
    id: "funnel-lines",
    title: "Where questions and answers went",
    note: "Each bar is a part of the total above it.",
    description: bars.map(({ name, value }) => `${name}: ${value}.`).join(" "),
    plot: funnelDrawing(bars),
    legend: [],
    table: {
      caption: "Where questions and answers went",
      columns: ["", "count", "share, %"],
      rows: funnel.map(({ name, depth }, row) => [
        `${depth === 0 ? "" : "– "}${spelled(name)}`,
        numberAt(document, ["funnel", row, "count"], "count"),
        numberAt(document, ["funnel", row, "share"], "percent"),
      ]),
    },
  };
  return {
    id: "funnel",
    title: "Funnel",
    lead: "Every question and every answer ends in exactly one place, with a reason.",
    figures: [figure],
  };
}

/** Ends of the funnel that go on to training. */
function isGoodEnd(name: string): boolean {
  return ["kept", "chosen", "train", "validation", "loaded"].includes(name);
}

/** The levels of the curriculum. */
export function curriculumSection(document: ReportDocument): ReportSection | null {
  const { curriculum } = document;
  if (curriculum === null || curriculum.levels.length === 0) return null;
  const names = curriculum.levels.flatMap(({ hardness }) => hardness.map((part) => part.hardness));
  const placed = [...new Set(names)].sort(compareHardness);
  const known = placed.filter((name) => name !== "unknown");
  const colourOf = (name: string): string =>
    name === "unknown" ? "var(--series-quiet)" : rampColour(known.indexOf(name), known.length);
  const parts = curriculum.levels.flatMap(({ level, hardness }) =>
    hardness.map((part) => ({
      bar: `level ${level}`,
      part: part.hardness,
      count: part.count,
      colour: colourOf(part.hardness),
    })),
  );
  const figure: ReportFigure = {
    id: "curriculum-levels",
    title: "Questions by level",
    note: "The first level is trained on first; colours tell hardness.",
    description: curriculum.levels
      .map(({ level, questions }) => `Level ${level}: ${questions} questions.`)
      .join(" "),
    plot: stacksDrawing(parts),
    legend: placed.map((name) => ({ name, colour: colourOf(name) })),
    table: {
      caption: "Levels of the curriculum",
      columns: ["level", "questions", "train", "validation", "mean pass rate, %", "hardness"],
      rows: curriculum.levels.map(({ hardness }, row) => [
        numberAt(document, levelAt(row, "level"), "count"),
        numberAt(document, levelAt(row, "questions"), "count"),
        numberAt(document, levelAt(row, "train"), "count"),
        numberAt(document, levelAt(row, "validation"), "count"),
        numberAt(document, levelAt(row, "meanRate"), "percent"),
        hardness.flatMap((part, index) => [
          `${index === 0 ? "" : ", "}${part.hardness} `,
          numberAt(document, [...levelAt(row, "hardness"), index, "count"], "count"),
        ]),
      ]),
    },
  };
  return { id: "curriculum", title: "Curriculum", lead: `Ordered by ${curriculum.id}.`, figures: [figure] };
}

function levelAt(row: number, field: string): (string | number)[] {
  return ["curriculum", "levels", row, field];
}

/** What moved between rounds, and what each of them covered. */
export function roundsSection(document: ReportDocument): ReportSection | null {
  const { rounds } = document;
  if (rounds === null) return null;
  const figures: ReportFigure[] = [];
  if (rounds.coverage !== null) {
    const bars = rounds.coverage.map(({ round, covered }) => ({
      name: `round ${round}`,
      value: covered,
      colour: "var(--accent)",
    }));
    const most = Math.max(...rounds.coverage.map(({ examples }) => examples));
    figures.push({
      id: "coverage",
      title: "Questions covered, round by round",
      note: "A question is covered when a trajectory of it was kept.",
      description: rounds.coverage
        .map((row) => `Round ${row.round}: ${row.covered} of ${row.examples}.`)
        .join(" "),
      plot: barsDrawing(bars, most, "count"),
      legend: [],
      table: {
        caption: "Coverage by round",
        columns: ["round", "questions", "covered", "trajectories"],
        rows: rounds.coverage.map((_, row) =>
          ["round", "examples", "covered", "trajectories"].map((field) =>
            numberAt(document, ["rounds", "coverage", row, field], "count"),
          ),
        ),
      },
    });
  }
  for (const [place, { from, to, classes, counts }] of rounds.movement.entries()) {
    figures.push({
      id: `movement-${place}`,
      title: `From round ${from} to round ${to}`,
      note: "Rows: how a question was answered before. Columns: how it is answered now.",
      description: `A grid of ${classes.length} by ${classes.length} classes of questions.`,
      plot: gridDrawing(
        classes,
        counts.map((row, index) => ({ name: classes[index] ?? "", counts: row })),
      ),
      legend: [],
      table: {
        caption: `Movement from round ${from} to round ${to}`,
        columns: ["before", ...classes],
        rows: counts.map((row, before) => [
          classes[before] ?? "",
          ...row.map((_, after) =>
            numberAt(document, ["rounds", "movement", place, "counts", before, after], "count"),
          ),
        ]),
      },
    });
  }
  return { id: "rounds", title: "Rounds", lead: "What self-teaching covered, and what moved.", figures };
}

/** Rewards, where a step gave some. */
export function rewardsSection(document: ReportDocument): ReportSection | null {
  if (document.rewards.length === 0) return null;
  const figures = document.rewards.flatMap((reward, place): ReportFigure[] => {
    const name = reward.port === "rewards" ? reward.step : `${reward.step}, ${reward.port}`;
    const bins = reward.bins.map(({ from, count }) => ({ label: from.toFixed(2), count }));
    const path = (...rest: (string | number)[]): (string | number)[] => ["rewards", place, ...rest];
    return [
      {
        id: `rewards-${place}`,
        title: `Rewards of ${name}`,
        note: "The label of a bar is where it begins.",
        description: `A histogram of ${reward.count} rewards from ${reward.min} to ${reward.max}.`,
        plot: histogramDrawing([{ name, colour: "var(--accent)", bins }]),
        legend: [],
        table: {
          caption: `Rewards of ${name}`,
          columns: ["from", "to", "answers"],
          rows: reward.bins.map((_, row) => [
            numberAt(document, path("bins", row, "from"), "plain"),
            numberAt(document, path("bins", row, "to"), "plain"),
            numberAt(document, path("bins", row, "count"), "count"),
          ]),
        },
      },
      {
        id: `reward-terms-${place}`,
        title: `Terms of ${name}`,
        note: "",
        description: "",
        plot: null,
        legend: [],
        table: {
          caption: `Terms of ${name}`,
          columns: ["term", "answers", "mean", "least", "most"],
          rows: [
            [
              "total",
              ...["count", "mean", "min", "max"].map((field) => numberAt(document, path(field), "plain")),
            ],
            ...reward.terms.map((term, row) => [
              term.name,
              ...["count", "mean", "min", "max"].map((field) =>
                numberAt(document, path("terms", row, field), "plain"),
              ),
            ]),
          ],
        },
      },
    ];
  });
  return { id: "rewards", title: "Rewards", lead: "What the rewards said of the answers.", figures };
}
