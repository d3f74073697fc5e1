import type { z } from "zod";
import type { DatabaseSchema } from "../core/database.ts";
import type { ScoredSample } from "../core/rows.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { schemaLinks } from "../io/schema-links.ts";
import { ERROR_CLASSES, type ErrorReport } from "./error-taxonomy.ts";
import type { AbilityFigures, ErrorFigures, LinkingFigures, MetricPair } from "./evaluated-rows.ts";
import { type LinkingScores, linkingScores } from "./linking-scores.ts";
import { MeanCounter, NameCounter } from "./mean-counter.ts";
import { MTSQL_ABILITIES, type MtsqlAbilities } from "./mtsql-abilities.ts";

const LINKING = ["precision", "recall", "f1", "completeRecall"] as const;

/** Precision, recall, F1 and complete recall of schema links, averaged over answers. */
export class LinkingMeans {
  readonly #means = Object.fromEntries(LINKING.map((name) => [name, new MeanCounter()])) as Record<
    (typeof LINKING)[number],
    MeanCounter
  >;

  /** Adds what the metric `schema-linking` says of an answer, where it says anything. */
  addVerdict(sample: ScoredSample): void {
    const verdict = sample.verdicts["schema-linking"];
    if (verdict?.status !== "scored" || verdict.details === undefined) return;
    const { precision, recall, complete } = verdict.details;
    if (typeof precision !== "number" || typeof recall !== "number" || typeof complete !== "number") return;
    this.#add({ precision, recall, f1: verdict.score, isComplete: complete === 1 });
  }

  /** Adds a linker's answer; no answer links nothing. Nothing is added where the schema does not take gold. */
  addLinks(goldSql: string, schema: DatabaseSchema, links: Trajectory["links"]): void {
    const gold = schemaLinks(goldSql, schema);
    if (!gold.ok) return;
    const columns = (links ?? []).flatMap(({ table, columns: names }) =>
      names.map((column) => ({ table, column })),
    );
    this.#add(linkingScores(gold, { tables: (links ?? []).map(({ table }) => table), columns }));
  }

  figures(): z.infer<typeof LinkingFigures> | null {
    const { f1 } = this.#means;
    if (f1.count === 0) return null;
    const means = Object.fromEntries(LINKING.map((name) => [name, this.#means[name].mean ?? 0]));
    return { n: f1.count, ...means } as z.infer<typeof LinkingFigures>;
  }

  #add(scores: Pick<LinkingScores, "precision" | "recall" | "f1" | "isComplete">): void {
    this.#means.precision.add(scores.precision);
    this.#means.recall.add(scores.recall);
    this.#means.f1.add(scores.f1);
    this.#means.completeRecall.add(scores.isComplete ? 1 : 0);
  }
}

/** Counts the classes and signs of wrong answers. */
export class ErrorCounts {
  readonly #main = new NameCounter();
  readonly #all = new NameCounter();
  readonly #signs = new NameCounter();
  readonly #byHardness = new Map<string, NameCounter>();
  #wrong = 0;

  add(report: ErrorReport, hardness: string | null): void {
    this.#wrong += 1;
    this.#main.add(report.main);
    for (const name of report.classes) this.#all.add(name);
    for (const sign of report.signs) this.#signs.add(sign);
    const level = hardness ?? "unknown";
    const counts = this.#byHardness.get(level) ?? new NameCounter();
    this.#byHardness.set(level, counts);
    counts.add(report.main);
  }

  /** `levels`: hardnesses in their order. */
  figures(metric: string, levels: readonly string[]): z.infer<typeof ErrorFigures> {
    const rank = (level: string): number => (levels.includes(level) ? levels.indexOf(level) : levels.length);
    const byHardness = [...this.#byHardness].sort(([left], [right]) => rank(left) - rank(right));
    return {
      metric,
      wrong: this.#wrong,
      main: this.#main.record(ERROR_CLASSES),
      all: this.#all.record(ERROR_CLASSES),
      signs: this.#signs.record(),
      byHardness: Object.fromEntries(
        byHardness.map(([level, counts]) => [level, counts.record(ERROR_CLASSES)]),
      ),
    };
  }
}

/** Counts how each two of several metrics agree on answers that both score. */
export class MetricPairs {
  readonly #pairs: { -readonly [P in keyof z.infer<typeof MetricPair>]: z.infer<typeof MetricPair>[P] }[];

  constructor(metrics: readonly string[]) {
    this.#pairs = metrics.flatMap((first, index) =>
      metrics
        .slice(index + 1)
        .map((second) => ({ first, second, both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })),
    );
  }

  add({ verdicts }: ScoredSample): void {
    for (const pair of this.#pairs) {
      const [first, second] = [verdicts[pair.first], verdicts[pair.second]];
      if (first?.status !== "scored" || second?.status !== "scored") continue;
      if (first.score === 1) pair[second.score === 1 ? "both" : "onlyFirst"] += 1;
      else pair[second.score === 1 ? "onlySecond" : "neither"] += 1;
    }
  }

  figures(): z.infer<typeof MetricPair>[] {
    return this.#pairs.map((pair) => ({ ...pair }));
  }
}

/** Means of the five abilities by group. */
export class AbilityMeans {
  readonly #groups = new Map<string, ReadonlyMap<string, MeanCounter>>();

  /** Adds a rollout to its groups; nothing where its scaffold names no steps. */
  add(groups: readonly string[], abilities: MtsqlAbilities | null): void {
    if (abilities === null) return;
    for (const group of groups) {
      const means =
        this.#groups.get(group) ?? new Map(MTSQL_ABILITIES.map((ability) => [ability, new MeanCounter()]));
      this.#groups.set(group, means);
      for (const ability of MTSQL_ABILITIES) means.get(ability)?.add(abilities[ability]);
    }
  }

  figures(): z.infer<typeof AbilityFigures>[] {
    return [...this.#groups].flatMap(([group, means]) =>
      [...means].map(([ability, { count, mean }]) => ({ group, ability, n: count, mean })),
    );
  }
}
