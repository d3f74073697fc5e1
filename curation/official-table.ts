import type { Scored, Verdict } from "../core/verdict.ts";
import { SPIDER_COMPONENTS, type SpiderComponent } from "../sql/spider-exact-match.ts";
import { SPIDER_HARDNESS_LEVELS } from "../sql/spider-hardness.ts";
import { BIRD_DIFFICULTIES } from "./bird-difficulty.ts";
import { dialogueVerdict } from "./interaction-match.ts";

/** What the tables take of one judged answer. */
export interface TableLine {
  /** Spider's hardness of the gold; `null` where it is not known. */
  readonly hardness: string | null;
  /** BIRD's difficulty of the question; `null` where it is not known. */
  readonly difficulty: string | null;
  /**
   * Its place in a dialogue, `null` outside one. `turn` counts from 0, or from 1 where no line has 0. A line belongs to
   * the dialogue of the line before when the ids are the same, `null` or not, and its turn is a later one.
   */
  readonly dialogue: { readonly id: string | null; readonly turn: number } | null;
  /** Whether its prediction contains `value`, for which Spider's script writes `1`; no where it is left out. */
  readonly holdsValue?: boolean;
  /** By metric. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** A component of exact match over the lines of a column, as the official script averages it; 0 to 1. */
export interface PartialFigures {
  /** Over predictions that have the component; 0 where none has. */
  readonly accuracy: number;
  /** Over golds that have the component; 0 where none has. */
  readonly recall: number;
  /** The harmonic mean of these two; 1 where both are 0. */
  readonly f1: number;
}

export interface MetricFigures {
  readonly scored: number;
  /** Over scored lines, `null` where there is none. */
  readonly mean: number | null;
  /** Of metrics that match Spider's components, in the table by hardness. */
  readonly partial?: Readonly<Record<string, PartialFigures>>;
}

export interface TableColumn {
  readonly name: string;
  /** Lines; dialogues in the column `joint`. */
  readonly count: number;
  readonly metrics: Readonly<Record<string, MetricFigures>>;
}

/**
 * A table as an official script prints it. Its columns are the levels and then all lines, `total` or `all`, those
 * without a level among them. Where there are dialogues, the tables by hardness and turn end with `joint`: the share of
 * dialogues that have score 1 in every turn.
 */
export interface OfficialTable {
  readonly by: "difficulty" | "hardness" | "turn";
  readonly columns: readonly TableColumn[];
  /** Lines without a level. */
  readonly unleveled: number;
  /**
   * In Spider's tables, where it is not 0: lines whose prediction contains `value`. Spider's script writes `1` in its
   * place before it judges; here predictions are judged as they are.
   */
  readonly withValue?: number;
}

const TURN_NAMES = ["turn 1", "turn 2", "turn 3", "turn 4", "turn > 4"] as const;

/** Turns are counted apart up to this place, because it is known only at the end whether they begin with 0 or 1. */
const LAST_PLACE = TURN_NAMES.length;

/**
 * Adds up judged lines to the official scripts' tables: BIRD's by difficulty, Spider's by hardness with partial
 * matching, and that of dialogues by turn. A table is there when a line has a level of it. Memory depends on the number
 * of metrics alone; so the lines of a dialogue must follow one another, in the order of their turns.
 *
 * Means are over scored lines; a script that gives an unscored line 0 divides by `count`.
 */
export class OfficialTables {
  readonly #difficulty = new LevelCounts(BIRD_DIFFICULTIES);
  readonly #hardness = new LevelCounts(SPIDER_HARDNESS_LEVELS);
  readonly #places = Array.from({ length: LAST_PLACE + 1 }, () => new ColumnCount());
  readonly #turns = new ColumnCount();
  readonly #joint = new ColumnCount();
  #withValue = 0;
  #open: { id: string | null; turn: number; verdicts: Readonly<Record<string, Verdict>> } | null = null;

  add({ hardness, difficulty, dialogue, verdicts, holdsValue = false }: TableLine): void {
    if (holdsValue) this.#withValue += 1;
    this.#difficulty.add(difficulty, verdicts);
    this.#hardness.add(hardness, verdicts);
    const open = this.#open;
    if (dialogue === null) return this.#closeDialogue();
    this.#turns.add(verdicts);
    this.#places[Math.min(dialogue.turn, LAST_PLACE)]?.add(verdicts);
    if (open !== null && open.id === dialogue.id && open.turn < dialogue.turn) {
      this.#open = { ...dialogue, verdicts: joined(verdicts, open.verdicts) };
      return;
    }
    this.#closeDialogue();
    this.#open = { ...dialogue, verdicts: joined(verdicts, {}) };
  }

  /** The tables of all lines added; ends the dialogue that is open. */
  finish(): OfficialTable[] {
    this.#closeDialogue();
    const joint = this.#turns.count > 0 ? [this.#joint.column("joint")] : [];
    const withValue = this.#withValue === 0 ? {} : { withValue: this.#withValue };
    const tables: OfficialTable[] = [];
    if (this.#difficulty.isKnown) tables.push({ by: "difficulty", ...this.#difficulty.table("total", []) });
    if (this.#hardness.isKnown)
      tables.push({ by: "hardness", ...this.#hardness.table("all", joint), ...withValue });
    if (this.#turns.count > 0) {
      const columns = [...this.#turnColumns(), this.#turns.column("all"), ...joint];
      tables.push({ by: "turn", columns, unleveled: 0, ...withValue });
    }
    return tables;
  }

  #closeDialogue(): void {
    if (this.#open !== null) this.#joint.add(this.#open.verdicts);
    this.#open = null;
  }

  #turnColumns(): TableColumn[] {
    const first = this.#places[0]?.count === 0 ? 1 : 0;
    return TURN_NAMES.map((name, index) => {
      const isLast = index === TURN_NAMES.length - 1;
      const count = new ColumnCount();
      for (const place of this.#places.slice(first + index, isLast ? undefined : first + index + 1)) {
        count.include(place);
      }
      return count.column(name);
    });
  }
}

/** The verdicts on a dialogue with one turn more. */
function joined(
  verdicts: Readonly<Record<string, Verdict>>,
  before: Readonly<Record<string, Verdict>>,
): Record<string, Verdict> {
  return Object.fromEntries(
    Object.entries(verdicts).map(([metric, verdict]) => {
      const earlier = before[metric];
      return [metric, dialogueVerdict(earlier === undefined ? [verdict] : [earlier, verdict])];
    }),
  );
}

/** The columns of a table by level. */
class LevelCounts {
  readonly #levels: ReadonlyMap<string, ColumnCount>;
  readonly #all = new ColumnCount();
  #leveled = 0;

  constructor(levels: readonly string[]) {
    this.#levels = new Map(levels.map((level) => [level, new ColumnCount()]));
  }

  /** Whether any line had one of the levels. */
  get isKnown(): boolean {
    return this.#leveled > 0;
  }

  add(level: string | null, verdicts: Readonly<Record<string, Verdict>>): void {
    this.#all.add(verdicts);
    const column = this.#levels.get(level ?? "");
    if (column === undefined) return;
    this.#leveled += 1;
    column.add(verdicts);
  }

  table(all: string, more: readonly TableColumn[]): Pick<OfficialTable, "columns" | "unleveled"> {
    const levels = [...this.#levels].map(([name, count]) => count.column(name, true));
    const columns = [...levels, this.#all.column(all, true), ...more];
    return { columns, unleveled: this.#all.count - this.#leveled };
  }
}

interface MetricSum {
  scored: number;
  sum: number;
  readonly partial: Map<SpiderComponent, PartialSum>;
}

interface PartialSum {
  accuracy: number;
  predictions: number;
  recall: number;
  golds: number;
}

/** The lines of a column: how many, and sums by metric. */
class ColumnCount {
  readonly #metrics = new Map<string, MetricSum>();
  count = 0;

  add(verdicts: Readonly<Record<string, Verdict>>): void {
    this.count += 1;
    for (const [metric, verdict] of Object.entries(verdicts)) {
      const sum = this.#sumOf(metric);
      if (verdict.status === "unscored") continue;
      sum.scored += 1;
      sum.sum += verdict.score;
      if (verdict.details !== undefined) addPartial(sum.partial, verdict.details);
    }
  }

  /** Adds all that another column counted, but for partial matching. */
  include(other: ColumnCount): void {
    this.count += other.count;
    for (const [metric, { scored, sum }] of other.#metrics) {
      const mine = this.#sumOf(metric);
      mine.scored += scored;
      mine.sum += sum;
    }
  }

  column(name: string, withPartial = false): TableColumn {
    const metrics = [...this.#metrics].map(([metric, { scored, sum, partial }]): [string, MetricFigures] => {
      const figures = { scored, mean: scored === 0 ? null : sum / scored };
      return [
        metric,
        withPartial && partial.size > 0 ? { ...figures, partial: figuresOf(partial) } : figures,
      ];
    });
    return { name, count: this.count, metrics: Object.fromEntries(metrics) };
  }

  #sumOf(metric: string): MetricSum {
    const sum = this.#metrics.get(metric) ?? {
      scored: 0,
      sum: 0,
      partial: new Map<SpiderComponent, PartialSum>(),
    };
    this.#metrics.set(metric, sum);
    return sum;
  }
}

type Details = NonNullable<Scored["details"]>;

/** Adds what `spider-em` says of the components: accuracy, recall, F1, and the items in gold and prediction. */
function addPartial(sums: Map<SpiderComponent, PartialSum>, details: Details): void {
  for (const component of SPIDER_COMPONENTS) {
    const figures = details[component];
    if (!Array.isArray(figures)) continue;
    const [accuracy = 0, recall = 0, , inGold = 0, inPrediction = 0] = figures;
    const sum = sums.get(component) ?? { accuracy: 0, predictions: 0, recall: 0, golds: 0 };
    sums.set(component, sum);
    if (inPrediction > 0) {
      sum.accuracy += accuracy;
      sum.predictions += 1;
    }
    if (inGold > 0) {
      sum.recall += recall;
      sum.golds += 1;
    }
  }
}

function figuresOf(sums: ReadonlyMap<SpiderComponent, PartialSum>): Record<string, PartialFigures> {
  return Object.fromEntries(
    [...sums].map(([component, sum]) => {
      const accuracy = sum.predictions === 0 ? 0 : sum.accuracy / sum.predictions;
      const recall = sum.golds === 0 ? 0 : sum.recall / sum.golds;
      const both = accuracy + recall;
      return [component, { accuracy, recall, f1: both === 0 ? 1 : (2 * accuracy * recall) / both }];
    }),
  );
}
