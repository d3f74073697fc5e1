import type { Database } from "../core/database.ts";
import type { Example } from "../core/example.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { Judge } from "../core/judge.ts";
import type { Label } from "../core/metric.ts";
import type { JudgedStatement, Reward, RewardInput, RewardResult, RewardRow } from "../core/reward.ts";
import type { LinkedTable, Trajectory } from "../core/trajectory.ts";
import { schemaLinks } from "../io/schema-links.ts";
import { type AskedAnswer, judgeExample } from "./judge-example.ts";
import { trajectoryTokens } from "./trajectory-signs.ts";

/** A reward with its options checked and its labels found. */
export interface OpenReward {
  readonly reward: Reward;
  readonly options: unknown;
  readonly labels: readonly Label[];
  /** The metrics that it reads. */
  readonly metrics: readonly string[];
}

/** A trajectory whose reward is asked for. */
export interface RewardedTrajectory {
  readonly trajectory: Trajectory;
  /** Tokens after the prompt, where a trainer counted them itself. */
  readonly tokens?: number;
}

/** Trajectories of one example with what their rewards are held against. */
export interface RewardRequest {
  readonly example: Example;
  /** `undefined` where the dataset has no such database. */
  readonly database: Database | undefined;
  readonly trajectories: readonly RewardedTrajectory[];
}

export interface RewardServices {
  readonly judge: Judge;
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
}

/**
 * The one way to a reward: judges the answers of an example's trajectories, and the statements that the reward asks for,
 * in one call, so that gold runs once, and scores each trajectory; rows in their order. Stored rollouts, shards and the
 * service get their figures here, so that equal episodes have equal ones.
 * @throws what the judge throws.
 */
export async function scoreReward(
  { example, database, trajectories }: RewardRequest,
  { reward, options, labels, metrics }: OpenReward,
  services: RewardServices,
): Promise<RewardRow[]> {
  if (trajectories.length === 0) return [];
  const asked = trajectories.map(({ trajectory }) => [
    trajectory.finalSql,
    ...(reward.statements?.(trajectory) ?? []),
  ]);
  const answers = trajectories.flatMap(({ trajectory }, place) =>
    (asked[place] ?? []).map((sql) => answerOf(sql, trajectory)),
  );
  const { gold, samples } = await judgeExample(
    { example, answers, done: 1, total: 1 },
    { database, metrics, labels, ...services },
  );
  const goldLinks = database === undefined ? null : linksOfGold(example, database);
  let first = 0;
  return trajectories.map(({ trajectory, tokens }, place) => {
    const [, ...statements] = asked[place] ?? [];
    const own = samples.slice(first + 1, first + 1 + statements.length);
    const verdicts = samples[first]?.verdicts ?? {};
    first += 1 + statements.length;
    const input: RewardInput = {
      example,
      trajectory,
      goldLinks,
      labels: gold.labels,
      verdicts,
      statements: new Map(statements.map((sql, index) => [sql ?? "", own[index] as JudgedStatement])),
      tokens: tokens ?? trajectoryTokens(trajectory),
    };
    return rowOf(trajectory, reward, reward.score(input, options));
  });
}

function answerOf(finalSql: string | null, trajectory: Trajectory): AskedAnswer {
  return {
    finalSql,
    sample: {
      trajectoryId: trajectory.id,
      exampleId: trajectory.exampleId,
      sampleIndex: trajectory.sampleIndex,
      round: trajectory.round,
      model: trajectory.model,
      setting: trajectory.scaffold.id,
      simulated: trajectory.source === "simulated",
    },
  };
}

function rowOf(trajectory: Trajectory, reward: Reward, result: RewardResult): RewardRow {
  const { id, exampleId, sampleIndex } = trajectory;
  const row = { trajectoryId: id, exampleId, sampleIndex, reward: reward.id, version: reward.version };
  if (result.status === "scored") {
    return { ...row, total: result.total, terms: { ...result.terms }, reason: "ok", message: "" };
  }
  return { ...row, total: null, terms: {}, reason: result.reason, message: result.message };
}

const LINKS = new WeakMap<Example, readonly LinkedTable[] | null>();

/** The tables and columns of the first gold. */
function linksOfGold(example: Example, { schema }: Database): readonly LinkedTable[] | null {
  const known = LINKS.get(example);
  if (known !== undefined) return known;
  const links = readLinks(example.gold[0], schema);
  LINKS.set(example, links);
  return links;
}

function readLinks(gold: string | undefined, schema: Database["schema"]): LinkedTable[] | null {
  const linking = gold === undefined ? undefined : schemaLinks(gold, schema);
  if (linking?.ok !== true) return null;
  return linking.tables.map((table) => ({
    table,
    columns: linking.columns.filter((linked) => linked.table === table).map(({ column }) => column),
  }));
}
