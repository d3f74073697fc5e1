import type { Json } from "../../core/key.ts";
import { type FunnelLine, funnelOf } from "../funnel.ts";
import { readAnswers } from "./answered-sets.ts";
import { curriculumLevels } from "./curriculum-levels.ts";
import { evaluationTables } from "./evaluation-tables.ts";
import { passRateTables } from "./pass-rate-tables.ts";
import type { FunnelShare, ReportDocument, RoundsReport } from "./report-document.ts";
import { recordOf, type ReportSource } from "./report-source.ts";
import { rewardDistributions } from "./reward-distributions.ts";
import { roundCoverage } from "./round-movement.ts";

/**
 * Everything that the report of a run says. Reads the run's rows as streams, and says of a part that the run has not
 * come to, nothing.
 * @throws ARTIFACT_DAMAGED, FUNNEL_UNBALANCED, STAGE_ORDER_BROKEN.
 */
export async function buildReport(source: ReportSource): Promise<ReportDocument> {
  const { artifacts, store } = source;
  const trained = await readAnswers(source, "");
  const evaluated = await readAnswers(source, "evaluation-");
  const answered = [trained, evaluated].filter((found) => found !== null);
  return {
    gradus: 1,
    kind: "report",
    run: describeRun(source),
    funnel: withShares(await funnelOf({ steps: [], artifacts }, store)),
    sets: answered.map(({ set }) => set),
    passRates: await passRateTables(source),
    curriculum: await curriculumLevels(source),
    rounds: roundsOf(await roundCoverage(source), trained?.movement ?? []),
    rewards: await rewardDistributions(source),
    evaluation: await evaluationTables(source),
    rollouts: (trained ?? evaluated)?.rollouts ?? [],
  };
}

function withShares(lines: readonly FunnelLine[]): FunnelShare[] {
  let total = 0;
  return lines.map((line) => {
    if (line.depth === 0) total = line.count;
    return { ...line, share: line.depth === 0 || total === 0 ? null : line.count / total };
  });
}

function roundsOf(
  coverage: RoundsReport["coverage"],
  movement: RoundsReport["movement"],
): RoundsReport | null {
  return coverage === null && movement.length === 0 ? null : { coverage, movement };
}

function describeRun({ name, recipe, artifacts }: ReportSource): ReportDocument["run"] {
  const { seed } = recipe;
  const models = Object.entries(recordOf(recipe["models"]) ?? {}).map(([role, value]) => {
    const model = recordOf(value) ?? {};
    return {
      role,
      name: text(model["name"]),
      revision: text(model["revision"]),
      provider: text(model["provider"]),
    };
  });
  const evaluation = recordOf(recipe["evaluation"]);
  return {
    name,
    seed: typeof seed === "number" ? seed : null,
    models,
    datasets: [
      ...datasetsOf(recipe["datasets"], "training"),
      ...datasetsOf(evaluation?.["datasets"], "evaluation"),
    ],
    steps: [...artifacts.keys()],
    recipe: withoutPlaces(recipe) as Json,
  };
}

function datasetsOf(value: unknown, use: string): ReportDocument["run"]["datasets"] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const dataset = recordOf(item);
    if (dataset === undefined) return [];
    return [{ loader: text(dataset["loader"]), split: text(dataset["split"]), use }];
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Fields of a recipe that name places of one machine. */
const PLACES = new Set(["root", "path", "file", "files", "client", "baseUrl", "url", "folder"]);

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  const record = recordOf(value);
  if (record === undefined) return value;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !PLACES.has(name))
      .map(([name, field]) => [name, withoutPlaces(field)]),
  );
}
