import { type Change, comparePlaces, type CurriculumDiff, type Moved, placeName } from "./curriculum-diff.ts";

const SHOWN = 8;
const GAP = "  ";

const CHANGES: Readonly<Record<Change, string>> = {
  same: "stayed where they were",
  earlier: "came to an earlier level",
  later: "came to a later level",
  split: "changed between training and validation",
  left: "left the curriculum",
  came_back: "came into the curriculum",
  dropped_otherwise: "are dropped for another reason",
  new: "are in the run after alone",
  gone: "are in the run before alone",
};

/** What a table shows of the two runs besides what moved. */
export interface DiffHeading {
  readonly before: string;
  readonly after: string;
  /** What decides places and is not the same in both runs. */
  readonly notes: readonly string[];
}

/** A movement table for a person: places before down, places after across, then what left and came, the first few. */
export function renderCurriculumDiff(diff: CurriculumDiff, { before, after, notes }: DiffHeading): string {
  const { questions, kept, changes } = diff;
  const parts = [
    `${before}: ${questions.before} questions, ${kept.before} kept\n${after}: ${questions.after} questions, ${kept.after} kept`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `note: ${note}`).join("\n")]),
    renderMatrix(diff),
    Object.entries(changes)
      .filter(([, count]) => count > 0)
      .map(([change, count]) => `${String(count).padStart(6)}  ${CHANGES[change as Change]}`)
      .join("\n"),
  ];
  for (const change of ["left", "came_back", "new", "gone"] as const) {
    const rows = diff.moved.filter((row) => row.change === change);
    if (rows.length > 0) parts.push(renderRows(CHANGES[change], rows));
  }
  return parts.join("\n\n");
}

function renderMatrix({ movement }: CurriculumDiff): string {
  const down = [...new Set(movement.map((row) => row.before))].sort(comparePlaces);
  const across = [...new Set(movement.map((row) => row.after))].sort(comparePlaces);
  const cells = down.map((from) =>
    across.map((to) => movement.find((row) => row.before === from && row.after === to)?.questions ?? 0),
  );
  const rows = [
    ["before \\ after", ...across.map(shown), "all"],
    ...down.map((from, place) => {
      const counts = cells[place] ?? [];
      return [
        shown(from),
        ...counts.map((count) => (count === 0 ? "." : String(count))),
        String(sum(counts)),
      ];
    }),
    [
      "all",
      ...across.map((_, place) => String(sum(cells.map((counts) => counts[place] ?? 0)))),
      String(sum(cells.flat())),
    ],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(([title = "", ...counts]) => {
      const aligned = counts.map((count, column) => count.padStart(widths[column + 1] ?? 0));
      return [title.padEnd(widths[0] ?? 0), ...aligned].join(GAP);
    })
    .join("\n");
}

function renderRows(title: string, rows: readonly Moved[]): string {
  const lines = rows.slice(0, SHOWN).map((row) => {
    const way = `${shown(placeName(row.before))} -> ${shown(placeName(row.after))}`;
    return `${GAP}${row.dataset} ${row.sourceId} (${row.databaseId})  ${way}: ${row.why}`;
  });
  const more = rows.length > SHOWN ? [`${GAP}and ${rows.length - SHOWN} more: --json has them all`] : [];
  return [`${rows.length} ${title}:`, ...lines, ...more].join("\n");
}

function shown(place: string): string {
  return place.replaceAll("_", " ");
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
