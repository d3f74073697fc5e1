import type {
  MetricFigures,
  OfficialTable,
  PartialFigures,
  TableColumn,
} from "../curation/official-table.ts";

const TITLES = { difficulty: "by difficulty", hardness: "by hardness", turn: "by turn" } as const;

/** Whose metrics are official in a table, by the beginning of their ids. */
const OFFICIAL = { difficulty: "bird-", hardness: "spider-", turn: "spider-" } as const;

const PARTIAL_FIGURES = [
  ["accuracy", "accuracy"],
  ["recall", "recall"],
  ["f1", "F1"],
] as const;

const GAP = "  ";

/**
 * The official scripts' tables for a person, with a blank line between them: levels across, metrics down, the official
 * ones first. Means are percentages with two digits by difficulty and shares with three elsewhere, as the scripts print
 * them, `-` where there is none. A metric with unscored lines has their number below it.
 */
export function renderOfficialTables(tables: readonly OfficialTable[]): string {
  return tables.map(renderTable).join("\n\n");
}

function renderTable(table: OfficialTable): string {
  const { by, columns } = table;
  const rows = [
    [TITLES[by], ...columns.map(({ name }) => name)],
    ["count", ...columns.map(({ count }) => String(count))],
  ];
  const metrics = [...new Set(columns.flatMap((column) => Object.keys(column.metrics)))];
  const official = metrics.filter((metric) => metric.startsWith(OFFICIAL[by]));
  const others = metrics.filter((metric) => !official.includes(metric));
  const heading = by === "difficulty" ? ", percent" : "";
  for (const [title, group] of [
    [`official${heading}`, official],
    [`others${heading}`, others],
  ] as const) {
    if (group.length > 0) rows.push([title], ...group.flatMap((metric) => metricRows(table, metric)));
  }
  for (const metric of official) rows.push(...partialRows(columns, metric));
  const lines = aligned(rows);
  if (table.unleveled > 0) {
    lines.push(`${table.unleveled} without a level, counted in ${columns[levelsOf(table)]?.name} alone`);
  }
  if (table.withValue !== undefined && official.length > 0) lines.push(valueNote(table.withValue));
  return lines.join("\n");
}

/** Why a figure may differ from the script's. */
function valueNote(count: number): string {
  const predictions = count === 1 ? "1 prediction contains" : `${count} predictions contain`;
  return `${predictions} "value", judged as written; the official script writes 1 in its place`;
}

/** How many columns are levels: the one that follows has all lines. */
function levelsOf({ columns }: OfficialTable): number {
  return columns.findIndex(({ name }) => name === "total" || name === "all");
}

function metricRows({ by, columns }: OfficialTable, metric: string): string[][] {
  const figures = columns.map((column) => column.metrics[metric]);
  const row = [`${GAP}${metric}`, ...figures.map((cell) => meanText(cell, by === "difficulty"))];
  const unscored = columns.map(({ count }, index) => count - (figures[index]?.scored ?? 0));
  return unscored.every((number) => number === 0)
    ? [row]
    : [row, [`${GAP}${GAP}unscored`, ...unscored.map(String)]];
}

function meanText(figures: MetricFigures | undefined, isPercent: boolean): string {
  const mean = figures?.mean ?? null;
  if (mean === null) return "-";
  return isPercent ? (mean * 100).toFixed(2) : mean.toFixed(3);
}

function partialRows(columns: readonly TableColumn[], metric: string): string[][] {
  const partial = columns.map((column) => column.metrics[metric]?.partial);
  const components = [...new Set(partial.flatMap((cell) => Object.keys(cell ?? {})))];
  if (components.length === 0) return [];
  return PARTIAL_FIGURES.flatMap(([figure, title]) => [
    [`partial ${title}, ${metric}`],
    ...components.map((component) => [
      `${GAP}${component}`,
      ...partial.map((cell) => partialText(cell?.[component], figure)),
    ]),
  ]);
}

function partialText(figures: PartialFigures | undefined, figure: keyof PartialFigures): string {
  return figures === undefined ? "-" : figures[figure].toFixed(3);
}

/** Rows as lines: the first column to the left, the others to the right; a row of one cell takes no column's width. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.filter((row) => row.length > 1).map((row) => row[index]?.length ?? 0)),
  );
  return rows.map(([title = "", ...cells]) => {
    const shown = cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    return cells.length === 0 ? title : [title.padEnd(widths[0] ?? 0), ...shown].join(GAP);
  });
}
