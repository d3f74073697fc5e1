import { Example } from "../../core/example.ts";
import { GoldRow, PassRate } from "../../core/rows.ts";
import { mergeByExample } from "../../curation/merge-by-example.ts";
import { compareHardness, hardnessOf } from "./hardness.ts";
import type { HistogramBin, PassRateReport } from "./report-document.ts";
import { fedTo, type ReportSource } from "./report-source.ts";
import { type SystemName, systemKey, systemLabels } from "./system-labels.ts";
import { compareText } from "../../curation/compare-text.ts";

/** Classes of pooled rates, from never right to always right. */
export const RATE_CLASSES = ["never", "≤ 25 %", "≤ 50 %", "≤ 75 %", "< 100 %", "always"] as const;

/** Above this number of answers a question, rates are shown in tenths. */
const MOST_EXACT = 20;

interface SystemRates {
  readonly name: SystemName;
  /** Questions by n and c. */
  readonly cells: Map<string, { readonly n: number; readonly c: number; count: number }>;
  stopped: number;
  unrated: number;
}

/** Pass rates of a run's `rates` step, by system and by hardness; `null` where it has no such step. */
export async function passRateTables(source: ReportSource): Promise<PassRateReport | null> {
  const rates = source.artifacts.get("rates");
  const examples = fedTo(source, "rates", "examples");
  const golds = source.artifacts.get("score");
  if (rates === undefined || examples === undefined || golds === undefined) return null;
  const { store } = source;
  const tables = new RateTables();
  const merged = mergeByExample(
    () => store.rows(examples.artifact, examples.port, Example),
    (example) => example.id,
    { golds: () => store.rows(golds, "golds", GoldRow), rates: () => store.rows(rates, "rates", PassRate) },
  );
  for await (const { leader, rows } of merged) tables.add(hardnessOf(leader, rows.golds[0]), rows.rates);
  return tables.report();
}

/** Counts rates as they come; holds one number for each system and pair of n and c. */
export class RateTables {
  readonly #systems = new Map<string, SystemRates>();
  readonly #hardness = new Map<string, number[]>();
  #metric = "";

  /** Adds the rates of one question. */
  add(hardness: string, rates: readonly PassRate[]): void {
    let n = 0;
    let c = 0;
    for (const rate of rates) {
      this.#metric = rate.metric;
      this.#addRate(rate);
      if (rate.stopRule !== "complete") continue;
      n += rate.n;
      c += rate.c;
    }
    if (n === 0) return;
    const counts = this.#hardness.get(hardness) ?? RATE_CLASSES.map(() => 0);
    this.#hardness.set(hardness, counts);
    const place = classOf(n, c);
    counts[place] = (counts[place] ?? 0) + 1;
  }

  #addRate({ model, setting, n, c, stopRule }: PassRate): void {
    const name = { model, setting, round: 0 };
    const key = systemKey(name);
    const system = this.#systems.get(key) ?? { name, cells: new Map(), stopped: 0, unrated: 0 };
    this.#systems.set(key, system);
    if (stopRule !== "complete") system.stopped += 1;
    else if (n === 0) system.unrated += 1;
    else {
      const cell = system.cells.get(`${n} ${c}`) ?? { n, c, count: 0 };
      system.cells.set(`${n} ${c}`, cell);
      cell.count += 1;
    }
  }

  report(): PassRateReport | null {
    if (this.#systems.size === 0) return null;
    const labels = systemLabels([...this.#systems.values()].map(({ name }) => name));
    const systems = [...this.#systems]
      .map(([key, { cells, stopped, unrated }]) => {
        return { system: labels.get(key) ?? key, bins: binsOf([...cells.values()]), stopped, unrated };
      })
      .sort((left, right) => compareText(left.system, right.system));
    const byHardness = [...this.#hardness]
      .sort(([left], [right]) => compareHardness(left, right))
      .map(([hardness, counts]) => ({
        hardness,
        total: counts.reduce((sum, count) => sum + count, 0),
        counts,
      }));
    return { metric: this.#metric, systems, classes: [...RATE_CLASSES], byHardness };
  }
}

function classOf(n: number, c: number): number {
  if (c === 0) return 0;
  if (c === n) return RATE_CLASSES.length - 1;
  return Math.ceil((c / n) * 4);
}

/** One bin for each number of right answers where all questions have the same few; else never, tenths, always. */
function binsOf(
  cells: readonly { readonly n: number; readonly c: number; readonly count: number }[],
): HistogramBin[] {
  const counts = new Set(cells.map(({ n }) => n));
  const [n = 0] = counts;
  if (counts.size === 1 && n <= MOST_EXACT) {
    return Array.from({ length: n + 1 }, (_, c) => ({
      label: `${c}/${n}`,
      count: cells.filter((cell) => cell.c === c).reduce((sum, { count }) => sum + count, 0),
    }));
  }
  const labels = [
    "0",
    ...Array.from({ length: 10 }, (_, tenth) => `${tenth * 10}–${tenth * 10 + 10} %`),
    "all",
  ];
  const bins = labels.map((label) => ({ label, count: 0 }));
  for (const cell of cells) {
    const tenth = Math.min(9, Math.floor((cell.c * 10) / cell.n)) + 1;
    const place = cell.c === 0 ? 0 : cell.c === cell.n ? labels.length - 1 : tenth;
    (bins[place] as { count: number }).count += cell.count;
  }
  return bins;
}
