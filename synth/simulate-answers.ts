import { z } from "zod";
import { Database } from "../core/database.ts";
import type { DatabaseSchema } from "../core/database.ts";
import { Example } from "../core/example.ts";
import { SeededRandom } from "../core/random.ts";
import { SampleGroup } from "../core/rows.ts";
import { Reject } from "../core/reject.ts";
import { defineStage } from "../core/stage.ts";
import { sampleId, Trajectory } from "../core/trajectory.ts";
import type { PlugUse } from "../core/trajectory.ts";
import { significantTokens } from "../sql/lexer.ts";
import { spiderHardness } from "../sql/spider-hardness.ts";
import { parseSpiderQuery } from "../sql/spider-parser.ts";
import { mutate } from "./simulated/mutations.ts";
import { hardnessByLength, successProbability } from "./simulated/policy.ts";
import type { Hardness } from "./simulated/policy.ts";
import { replyMessage, restyle, thoughtFor } from "./simulated/reply.ts";

/** Options of {@link simulateAnswersStage}. */
export const SimulateAnswersOptions = z.strictObject({
  model: z.strictObject({ name: z.string().min(1), revision: z.string().default("1") }),
  /** Samples an example. */
  samples: z.int().positive(),
  /** The mean share of right answers on questions of medium hardness. */
  competence: z.number().min(0).max(1),
  /** Whether replies begin with a thought. */
  thoughts: z.boolean().default(true),
});
export type SimulateAnswersOptions = z.infer<typeof SimulateAnswersOptions>;

/** One wrong reply in this many gives no query at all. */
const REPLIES_PER_REFUSAL = 32;

/**
 * Stands in for a model where there is none: answers each example from its first gold, right as it is or
 * with the mistakes of {@link mutate}, as often as {@link successProbability} says. It reads gold, which its
 * scaffold declares (`readsGold`), and its trajectories have the source `simulated`. By example, then sample;
 * a function of inputs, options and seed. An example without a gold or a database is a reject.
 */
export const simulateAnswersStage = defineStage({
  name: "simulate-answers",
  version: 1,
  inputs: { examples: Example, databases: Database },
  outputs: { trajectories: Trajectory, groups: SampleGroup, rejects: Reject },
  options: SimulateAnswersOptions,
  async *run({ inputs, options, context }) {
    const known = new Map<string, KnownDatabase>();
    for await (const { databaseId, digest, schema } of inputs.databases()) {
      known.set(databaseId, { digest, schema });
    }
    let done = 0;
    for await (const example of inputs.examples()) {
      context.signal.throwIfAborted();
      const [gold] = example.gold;
      const database = known.get(example.databaseId);
      if (gold === undefined || gold.trim() === "") {
        yield {
          port: "rejects",
          row: reject(example, "SIMULATE_GOLD_UNKNOWN", "it has no gold to answer from"),
        };
      } else if (database === undefined) {
        const message = `no row describes its database ${example.databaseId}`;
        yield { port: "rejects", row: reject(example, "SIMULATE_DATABASE_UNKNOWN", message) };
      } else {
        for (const row of answersTo({ example, gold, database, options, seed: context.seed })) {
          yield { port: "trajectories", row };
        }
      }
      done += 1;
      context.progress(done);
    }
  },
});

interface KnownDatabase {
  readonly digest: string;
  readonly schema: DatabaseSchema;
}

interface SimulatedQuestion {
  readonly example: Example;
  readonly gold: string;
  readonly database: KnownDatabase;
  readonly options: SimulateAnswersOptions;
  readonly seed: number;
}

function* answersTo(question: SimulatedQuestion): Generator<Trajectory> {
  const { example, gold, database, options, seed } = question;
  const hardness = hardnessOf(gold, database.schema);
  const chance = successProbability(seed, example.id, hardness, options.competence);
  for (let sampleIndex = 0; sampleIndex < options.samples; sampleIndex += 1) {
    const random = new SeededRandom(seed, "simulated-answer", example.id, options.model, sampleIndex);
    const sql = random.next() < chance ? restyle(gold, random) : wrongAnswer(question, chance, random);
    const thought = options.thoughts ? thoughtFor(sql ?? gold, database.schema, random) : null;
    yield trajectoryOf(question, sampleIndex, sql, thought);
  }
}

/** One mistake; two where the model is never right, so that it is not right by accident. */
function wrongAnswer(
  { gold, database }: SimulatedQuestion,
  chance: number,
  random: SeededRandom,
): string | null {
  if (random.integer(REPLIES_PER_REFUSAL) === 0) return null;
  const once = mutate(gold.trim(), database.schema, random);
  return chance > 0 ? once.sql : mutate(once.sql, database.schema, random, once.kind).sql;
}

/** Spider's hardness, or by length for what Spider's parser refuses. */
function hardnessOf(sql: string, schema: DatabaseSchema): Hardness {
  const tables = schema.tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name),
  }));
  const parsed = parseSpiderQuery(sql, { tables });
  return parsed.ok ? spiderHardness(parsed.query) : hardnessByLength(significantTokens(sql).length);
}

function trajectoryOf(
  { example, database, options, seed }: SimulatedQuestion,
  sampleIndex: number,
  sql: string | null,
  thought: string | null,
): Trajectory {
  const scaffold: PlugUse = {
    id: "simulated",
    version: 1,
    options: { readsGold: true, thoughts: options.thoughts },
  };
  return {
    id: sampleId({
      exampleId: example.id,
      question: example.question,
      evidence: example.evidence,
      history: example.history.map((turn) => ({ question: turn.question, sql: null })),
      schemaTextDigest: null,
      schemaDialect: null,
      profileDigest: null,
      databaseDigest: database.digest,
      scaffold,
      tools: [],
      model: options.model,
      sampling: { competence: options.competence, seed },
      round: 0,
      sampleIndex,
    }),
    exampleId: example.id,
    sampleIndex,
    round: 0,
    model: options.model,
    scaffold,
    source: "simulated",
    pastThoughts: "none",
    messages: [replyMessage(sql, thought)],
    finalSql: sql,
    stopReason: sql === null ? "no_answer" : "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed,
  };
}

function reject(example: Example, code: string, problem: string): Reject {
  return { rowId: example.id, code, message: `example ${example.sourceId} cannot be answered: ${problem}` };
}
