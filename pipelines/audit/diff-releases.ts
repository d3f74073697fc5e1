import type { Database } from "../../core/database.ts";
import { isReadable } from "../../core/database.ts";
import type { ExecutionLimits } from "../../core/execution.ts";
import type { DatabaseInspector } from "../../core/inspector.ts";
import type { Judge } from "../../core/judge.ts";
import { orderedWindow } from "../ordered-window.ts";
import { judgeChange } from "./judge-change.ts";
import { changedFields, type MatchedRows, matchReleases, unchangedInSubstance } from "./match-releases.ts";
import type { Release } from "./read-release.ts";
import {
  type ChangeKind,
  type ReleaseChange,
  type ReleaseTexts,
  signsOf,
  type UnjudgedReason,
} from "./release-change.ts";
import type { ReleaseRow } from "./release-fields.ts";
import type { SystemAnswers } from "./release-predictions.ts";
import { type DiffTotals, totalsOf } from "./release-totals.ts";

/** Two releases to compare. */
export interface DiffRequest {
  readonly before: Release;
  readonly after: Release;
  /** Answers to the questions of `before`. */
  readonly systems: readonly SystemAnswers[];
  /** Leaves questions that `after` lacks out: it holds only what somebody looked at. */
  readonly isPartial: boolean;
  readonly metric: string;
  readonly limits: ExecutionLimits;
  readonly databasePath: (databaseId: string) => string | null;
  readonly concurrency: number;
}

/** What a comparison says: totals, and every changed question in the order of the older release. */
export interface ReleaseDiff {
  readonly before: { readonly name: string; readonly questions: number };
  readonly after: { readonly name: string; readonly questions: number };
  /** Systems with the number of questions that each answers. */
  readonly systems: readonly { readonly name: string; readonly answers: number; readonly astray: number }[];
  readonly metric: string;
  /** Databases of changed questions that have no file or cannot be read. */
  readonly missingDatabases: readonly string[];
  readonly totals: DiffTotals;
  readonly changes: readonly ReleaseChange[];
}

/** Compares two releases, runs the golds of what changed, and judges the answers under both. */
export async function diffReleases(
  request: DiffRequest,
  services: {
    readonly judge: Judge;
    readonly inspector: DatabaseInspector;
    progress(done: number, total: number): void;
  },
): Promise<ReleaseDiff> {
  const { before, after, systems, metric } = request;
  const matched = matchReleases(before.rows, after.rows);
  const changed = matched
    .map((pair) => ({ pair, kinds: kindsOf(pair, request.isPartial) }))
    .filter(({ kinds }) => kinds.length > 0);
  const databases = new DatabaseShelf(request, services.inspector);
  const changes: ReleaseChange[] = [];
  const results = orderedWindow(each(changed), request.concurrency, ({ pair, kinds }) =>
    changeOf(pair, kinds, { request, databases, judge: services.judge }),
  );
  for await (const change of results) {
    changes.push(change);
    services.progress(changes.length, changed.length);
  }
  return {
    before: { name: before.name, questions: before.rows.length },
    after: { name: after.name, questions: after.rows.length },
    systems: systems.map(({ name, answers, astray }) => ({ name, answers: answers.size, astray })),
    metric,
    missingDatabases: databases.missing,
    totals: totalsOf(changes, {
      matched: matched.filter((pair) => pair.before !== null && pair.after !== null).length,
      passedOver: request.isPartial ? matched.filter((pair) => pair.after === null).length : 0,
    }),
    changes,
  };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function kindsOf(pair: MatchedRows, isPartial: boolean): ChangeKind[] {
  if (pair.before === null) return ["added"];
  if (pair.after === null) return isPartial ? [] : ["removed"];
  return changedFields(pair);
}

interface ChangeSurroundings {
  readonly request: DiffRequest;
  readonly databases: DatabaseShelf;
  readonly judge: Judge;
}

async function changeOf(
  pair: MatchedRows,
  changed: readonly ChangeKind[],
  { request, databases, judge }: ChangeSurroundings,
): Promise<ReleaseChange> {
  const { before, after } = pair;
  const row = (before ?? after) as ReleaseRow;
  const sameText = unchangedInSubstance(pair, changedFields(pair));
  const ids = {
    before: before?.databaseId ?? after?.databaseId ?? null,
    after: after?.databaseId ?? before?.databaseId ?? null,
  };
  const found = { before: await databases.find(ids.before), after: await databases.find(ids.after) };
  const gold = {
    before: before?.gold ?? [],
    after: after?.gold ?? (after === null ? [] : (before?.gold ?? [])),
  };
  const answers =
    before === null || after === null
      ? []
      : request.systems.flatMap(({ name, answers: given }) => {
          const sql = given.get(before);
          return sql === undefined ? [] : [{ system: name, sql }];
        });
  const unjudged = whyUnjudged(ids, found, gold);
  const effect =
    unjudged === null
      ? await judgeChange(judge, {
          databases: found as { before: Database; after: Database },
          gold,
          answers,
          metric: request.metric,
          limits: request.limits,
        })
      : null;
  return {
    id: row.id ?? String(row.position),
    databaseId: ids.after,
    changed,
    before: textsOf(before),
    after: textsOf(after),
    sameText,
    effect,
    unjudged,
    signs: signsOf(changed, sameText, effect),
  };
}

type BothSides<T> = { readonly before: T; readonly after: T };

function whyUnjudged(
  ids: BothSides<string | null>,
  found: BothSides<Database | null>,
  gold: BothSides<readonly string[]>,
): UnjudgedReason | null {
  if (gold.before.length === 0 && gold.after.length === 0) return "no_gold";
  if (ids.before === null || ids.after === null) return "database_unnamed";
  return found.before === null || found.after === null ? "database_missing" : null;
}

function textsOf(row: ReleaseRow | null): ReleaseTexts | null {
  return row === null ? null : { question: row.question, evidence: row.evidence, gold: row.gold };
}

/** Databases by id, each looked at once. */
class DatabaseShelf {
  readonly #request: DiffRequest;
  readonly #inspector: DatabaseInspector;
  readonly #found = new Map<string, Promise<Database>>();
  readonly #missing = new Set<string>();

  constructor(request: DiffRequest, inspector: DatabaseInspector) {
    this.#request = request;
    this.#inspector = inspector;
  }

  get missing(): string[] {
    return [...this.#missing].sort();
  }

  /** `null` where it has no file that can be read. */
  async find(databaseId: string | null): Promise<Database | null> {
    if (databaseId === null) return null;
    let found = this.#found.get(databaseId);
    if (found === undefined) {
      const path = this.#request.databasePath(databaseId);
      found = this.#inspector.inspect({ databaseId, path, described: null, valuesPerColumn: 0 });
      this.#found.set(databaseId, found);
    }
    const database = await found;
    if (isReadable(database)) return database;
    this.#missing.add(databaseId);
    return null;
  }
}
