import type { ScoredSample } from "../../core/rows.ts";
import type { ReportSource } from "./report-source.ts";
import { readJsonFile, recordOf } from "./report-source.ts";
import type { RoundsReport } from "./report-document.ts";
import path from "node:path";

/** How the answers to a question in a round can be. */
export const ROUND_CLASSES = ["never right", "sometimes right", "always right"] as const;

/** Counts how questions moved between each round and the next one that answered them. */
export class RoundMovement {
  readonly #counts = new Map<string, { from: number; to: number; counts: number[][] }>();

  /** Adds the judged answers to one question, all its rounds together. */
  add(samples: readonly ScoredSample[], metric: string): void {
    const rounds = new Map<number, { n: number; c: number }>();
    for (const { round, verdicts } of samples) {
      const verdict = verdicts[metric];
      if (verdict?.status !== "scored") continue;
      const cell = rounds.get(round) ?? { n: 0, c: 0 };
      rounds.set(round, { n: cell.n + 1, c: cell.c + (verdict.score === 1 ? 1 : 0) });
    }
    const ordered = [...rounds].sort(([left], [right]) => left - right);
    for (const [index, [to, after]] of ordered.entries()) {
      const before = ordered[index - 1];
      if (before === undefined) continue;
      const [from, cell] = before;
      const key = `${from} ${to}`;
      const entry = this.#counts.get(key) ?? { from, to, counts: emptyCounts() };
      this.#counts.set(key, entry);
      const row = entry.counts[classOf(cell)] as number[];
      row[classOf(after)] = (row[classOf(after)] ?? 0) + 1;
    }
  }

  /** One table for each pair of rounds, in order. */
  tables(): RoundsReport["movement"] {
    return [...this.#counts.values()]
      .sort((left, right) => left.from - right.from || left.to - right.to)
      .map((entry) => ({ ...entry, classes: [...ROUND_CLASSES] }));
  }
}

function classOf({ n, c }: { readonly n: number; readonly c: number }): 0 | 1 | 2 {
  if (c === 0) return 0;
  return c === n ? 2 : 1;
}

function emptyCounts(): number[][] {
  return ROUND_CLASSES.map(() => ROUND_CLASSES.map(() => 0));
}

const COVERAGE_FIELDS = ["round", "examples", "covered", "trajectories"] as const;

/** Coverage by round from `rounds.json` in the run's folder; `null` where there is none. Rows that do not read are left out. */
export async function roundCoverage(source: ReportSource): Promise<RoundsReport["coverage"]> {
  const found = recordOf(await readJsonFile(path.join(source.folder, "rounds.json")))?.["rounds"];
  if (!Array.isArray(found)) return null;
  const rows = found.flatMap((value: unknown) => {
    const row = recordOf(value);
    const figures = COVERAGE_FIELDS.map((field) => row?.[field]);
    const [round, examples, covered, trajectories] = figures;
    if (
      typeof round !== "number" ||
      typeof examples !== "number" ||
      typeof covered !== "number" ||
      typeof trajectories !== "number"
    )
      return [];
    return [{ round, examples, covered, trajectories }];
  });
  return rows.length === 0 ? null : rows;
}
