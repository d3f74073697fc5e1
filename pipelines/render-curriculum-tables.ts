import type { CurriculumTables } from "./curriculum-tables.ts";

/** Hardness by pass rate, and what other bounds of the filter would keep, for a person. */
export function renderCurriculumTables({ bands, rates, unrated, thresholds }: CurriculumTables): string {
  const joint = [
    ["samples right", ...bands, "all"],
    ...rates.map(({ hardness, questions, total }) => [hardness, ...questions.map(shown), String(total)]),
  ];
  const bounds = [
    ["trivial from", "intractable to", "trivial", "intractable", "kept"],
    ...thresholds.map((row) => [
      percent(row.trivialFrom),
      percent(row.intractableTo),
      String(row.trivial),
      String(row.intractable),
      String(row.kept),
    ]),
  ];
  return [
    table(joint),
    `${unrated} questions have no pass rate: they cannot be judged, or their sampling ended early`,
    "what other bounds would keep, with nothing sampled again:",
    table(bounds),
  ].join("\n\n");
}

function shown(count: number): string {
  return count === 0 ? "." : String(count);
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(([title = "", ...cells]) => {
      const aligned = cells.map((cell, column) => cell.padStart(widths[column + 1] ?? 0));
      return [title.padEnd(widths[0] ?? 0), ...aligned].join("  ");
    })
    .join("\n");
}
