import type { DatabaseSchema } from "../../core/database.ts";
import type { Json } from "../../core/key.ts";
import { SeededRandom } from "../../core/random.ts";
import { goldHardness } from "./gold-hardness.ts";
import { mutate } from "./mutations.ts";
import { successProbability } from "./policy.ts";
import type { Hardness } from "./policy.ts";
import type { KnownQuestion } from "./question-index.ts";

/** What decides an attempt besides the question. */
export interface AttemptDraw {
  /** Seed of the simulation: which questions are always, sometimes and never answered right. */
  readonly seed: number;
  /** Name of the model; two models of one competence draw apart. */
  readonly model: string;
  readonly competence: number;
  /** Seed of the request, `greedy` at temperature 0, `unseeded` without one; in an episode, its plan's name. */
  readonly draw: number | string;
}

/** A question as one simulated model takes it up under one seed. Every part is a function of those alone. */
export interface Attempt {
  readonly gold: string;
  readonly schema: DatabaseSchema;
  readonly hardness: Hardness;
  readonly competence: number;
  /** The chance of the right answer over seeds. */
  readonly chance: number;
  /** Whether this attempt ends in the right answer. */
  readonly right: boolean;
  /** A stream of this attempt for one purpose. */
  random(purpose: string, ...parts: readonly Json[]): SeededRandom;
}

/** A reply before it is cut. An endless text is repeated up to the token limit. */
export interface ReplyText {
  readonly text: string;
  readonly isEndless: boolean;
}

/** Takes up a known question. */
export function attemptKnown({ example, schema }: KnownQuestion, draw: AttemptDraw): Attempt {
  const gold = (example.gold[0] ?? "").trim();
  const hardness = goldHardness(gold, schema);
  const chance = successProbability(draw.seed, example.id, hardness, draw.competence);
  const random = streams(draw, example.id);
  const right = random("right").next() < chance;
  return { gold, schema, hardness, competence: draw.competence, chance, right, random };
}

/** Takes up a question that is not known: the answer is the number of rows of the first table shown, or 1. */
export function attemptUnknown(shown: string, draw: AttemptDraw): Attempt {
  const [, table] = /create\s+table\s+(?:if\s+not\s+exists\s+)?("[^"]+"|`[^`]+`|\w+)/i.exec(shown) ?? [];
  return {
    gold: table === undefined ? "SELECT 1" : `SELECT count(*) FROM ${table}`,
    schema: { databaseId: "unknown", tables: [], foreignKeys: [] },
    hardness: "easy",
    competence: draw.competence,
    chance: 1,
    right: true,
    random: streams(draw, "unknown"),
  };
}

function streams({ seed, model, draw }: AttemptDraw, exampleId: string): Attempt["random"] {
  return (purpose, ...parts) =>
    new SeededRandom(seed, "simulated-reply", exampleId, model, draw, purpose, ...parts);
}

/**
 * A wrong query of this attempt, another for each `draft`: the gold with one mistake, or with two where the
 * model is never right, so that it is not right by accident.
 */
export function wrongSql(attempt: Attempt, draft: number): string {
  const random = attempt.random("wrong", draft);
  const once = mutate(attempt.gold, attempt.schema, random);
  return attempt.chance > 0 ? once.sql : mutate(once.sql, attempt.schema, random, once.kind).sql;
}

/**
 * Whether a reply breaks the protocol: never where the model is always right, once in 64 replies of an
 * attempt that ends right, once in 12 of one that ends wrong.
 */
export function breaksProtocol(attempt: Attempt, turn: number): boolean {
  if (attempt.chance === 1) return false;
  return attempt.random("break", turn).integer(attempt.right ? 64 : 12) === 0;
}
