import { OrderedExample } from "../../core/rows.ts";
import { compareHardness } from "./hardness.ts";
import type { CurriculumReport } from "./report-document.ts";
import { recordOf, type ReportSource } from "./report-source.ts";

interface Level {
  train: number;
  validation: number;
  rated: number;
  rates: number;
  readonly hardness: Map<string, number>;
}

/** The levels that a run's `order` step gave; `null` where it has no such step. */
export async function curriculumLevels(source: ReportSource): Promise<CurriculumReport | null> {
  const artifact = source.artifacts.get("order");
  if (artifact === undefined) return null;
  const levels = new Map<number, Level>();
  for await (const row of source.store.rows(artifact, "examples", OrderedExample)) {
    const empty: Level = { train: 0, validation: 0, rated: 0, rates: 0, hardness: new Map() };
    const level = levels.get(row.level) ?? empty;
    levels.set(row.level, level);
    level[row.split] += 1;
    if (row.complete && row.n > 0) {
      level.rated += 1;
      level.rates += row.c / row.n;
    }
    const hardness = row.hardness ?? "unknown";
    level.hardness.set(hardness, (level.hardness.get(hardness) ?? 0) + 1);
  }
  const id = recordOf(artifact.manifest.options)?.["curriculum"];
  return {
    id: typeof id === "string" ? id : "",
    levels: [...levels]
      .sort(([left], [right]) => left - right)
      .map(([level, { train, validation, rated, rates, hardness }]) => ({
        level,
        questions: train + validation,
        train,
        validation,
        meanRate: rated === 0 ? null : rates / rated,
        hardness: [...hardness]
          .sort(([left], [right]) => compareHardness(left, right))
          .map(([name, count]) => ({ hardness: name, count })),
      })),
  };
}
