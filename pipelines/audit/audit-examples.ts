import { pMapIterable } from "p-map";
import { z } from "zod";
import type { AuditedExample, Votes } from "../../core/audit.ts";
import type { Check, CheckSubject, SameQuestion } from "../../core/check.ts";
import type { Database } from "../../core/database.ts";
import { isReadable } from "../../core/database.ts";
import type { Example } from "../../core/example.ts";
import type { ExecutionLimits } from "../../core/execution.ts";
import type { Finding } from "../../core/finding.ts";
import type { Judge } from "../../core/judge.ts";
import type { QueryReply, SqlRunner } from "../../core/sql-runner.ts";
import { auditScore } from "../../curation/audit-score.ts";
import { consensusFinding, ConsensusOptions } from "../../curation/outvoted-gold.ts";
import { runChecks, sortFindings } from "../../curation/run-checks.ts";
import { goldFacts } from "../../sql/gold-facts.ts";
import { GoldGrader } from "../grade-golds.ts";
import { countVotes } from "./count-votes.ts";
import { RememberingRunner } from "./remembering-runner.ts";

/** What decides how examples are audited. */
export const AuditOptions = z.strictObject({
  /** The score from which an annotation counts as wrong. */
  threshold: z.number().min(0).max(1).default(0.5),
  /** By which two results are one. */
  metric: z.string().min(1).default("bird-ex"),
  consensus: ConsensusOptions.default(() => ConsensusOptions.parse({})),
  /** CPU time of a gold, a probe or an answer, milliseconds. */
  cpuMs: z.int().positive().default(10_000),
});
export type AuditOptions = z.infer<typeof AuditOptions>;

/** A judge of annotations that is asked beside the checks, such as a model. */
export interface AnnotationJudge {
  judge(subject: CheckSubject): Promise<readonly Finding[]>;
  /** Waits for what is on its way; nothing new is asked. */
  close(): Promise<void>;
}

/** Examples to audit, with all that may be looked at. */
export interface AuditRequest {
  /** Every example of the split, in order: the others tell what is asked twice. */
  readonly examples: readonly Example[];
  /** Which of them are audited; all when left out. */
  readonly only?: (example: Example) => boolean;
  readonly databases: ReadonlyMap<string, Database>;
  /** Answers of samples by example; an example without any has no votes. */
  readonly answers: ReadonlyMap<string, readonly (string | null)[]>;
  readonly checks: readonly Check[];
  readonly options: AuditOptions;
  readonly runner: SqlRunner;
  readonly judge: Judge;
  readonly annotationJudge?: AnnotationJudge;
  /** Examples audited at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** As the grader has golds run, so that a gold runs once. */
const SHOWN = { maxShownRows: 2000, maxCellCharacters: 500 };

/** Results beyond are not held. */
const RESULT_LIMITS = { maxRows: 1_000_000, maxBytes: 268_435_456 };

/** Audits examples; they come in the order of the dataset. */
export async function* auditExamples(request: AuditRequest): AsyncGenerator<AuditedExample> {
  const audited = request.examples.filter((example) => request.only?.(example) !== false);
  const auditor = new Auditor(request);
  let done = 0;
  const rows = pMapIterable(audited, (example) => auditor.audit(example), {
    concurrency: request.concurrency,
  });
  for await (const row of rows) {
    done += 1;
    request.progress(done, audited.length);
    yield row;
  }
}

class Auditor {
  readonly #request: AuditRequest;
  readonly #limits: ExecutionLimits;
  readonly #runner: SqlRunner;
  readonly #grader: GoldGrader | null;
  readonly #sameQuestion: ReadonlyMap<string, readonly Example[]>;

  constructor(request: AuditRequest) {
    this.#request = request;
    this.#limits = { ...RESULT_LIMITS, cpuMs: request.options.cpuMs };
    this.#runner = new RememberingRunner(request.runner);
    const grades = request.checks.some(({ id }) => id === "undetermined-answer");
    this.#grader = grades ? new GoldGrader(this.#runner, this.#limits) : null;
    this.#sameQuestion = byQuestion(request.examples);
  }

  async audit(example: Example): Promise<AuditedExample> {
    this.#request.signal.throwIfAborted();
    const [gold] = example.gold;
    const database = this.#request.databases.get(example.databaseId);
    if (gold === undefined) return rowOf(example, "no_gold");
    if (database === undefined || database.status === "missing") return rowOf(example, "database_missing");
    if (!isReadable(database)) return rowOf(example, "database_unusable");
    const subject = await this.#subject(example, gold, database);
    const votes = await this.#votes(subject);
    const findings = await runChecks(this.#request.checks, subject, (sql, maxRows) =>
      this.#run(database, sql, maxRows),
    );
    const outvoted =
      votes === null
        ? null
        : consensusFinding(example, votes, {
            options: this.#request.options.consensus,
            schema: database.schema,
          });
    const judged = (await this.#request.annotationJudge?.judge(subject)) ?? [];
    const all = sortFindings([...findings, ...(outvoted === null ? [] : [outvoted]), ...judged]);
    const score = auditScore(all, votes);
    const flagged = score >= this.#request.options.threshold;
    return { ...rowOf(example, "audited"), score, flagged, findings: all, votes };
  }

  async #subject(example: Example, sql: string, database: Database): Promise<CheckSubject> {
    const execution = await this.#run(database, sql, SHOWN.maxShownRows);
    const ran = hasRun(execution);
    const grading = ran ? await this.#grader?.grade(database, sql) : null;
    return {
      example,
      sql,
      database,
      facts: goldFacts(sql, database.schema),
      execution,
      undetermined: grading?.findings ?? [],
      sameQuestion: await this.#others(example, database),
    };
  }

  async #others(example: Example, database: Database): Promise<SameQuestion[]> {
    const same = this.#sameQuestion.get(questionKey(example)) ?? [];
    const others: SameQuestion[] = [];
    for (const other of same) {
      const [gold] = other.gold;
      if (other.id === example.id || gold === undefined) continue;
      const reply = await this.#run(database, gold, SHOWN.maxShownRows);
      others.push({ sourceId: other.sourceId, gold, digest: reply.execution.digest });
    }
    return others;
  }

  async #votes({ example, sql, database }: CheckSubject): Promise<Votes | null> {
    const answers = this.#request.answers.get(example.id);
    if (answers === undefined || answers.length === 0) return null;
    const { judge, options } = this.#request;
    const { metric } = options;
    return countVotes({ database, gold: sql, answers, judge, metric, limits: this.#limits });
  }

  #run(database: Database, sql: string, maxShownRows: number): Promise<QueryReply> {
    const { maxCellCharacters } = SHOWN;
    return this.#runner.query({
      database,
      sql,
      mode: "query",
      limits: this.#limits,
      maxShownRows,
      maxCellCharacters,
      readsInReverse: false,
    });
  }
}

function hasRun({ execution }: QueryReply): boolean {
  return execution.status === "ok" || execution.status === "empty";
}

function rowOf(example: Example, status: AuditedExample["status"]): AuditedExample {
  return {
    exampleId: example.id,
    dataset: example.dataset.name,
    split: example.dataset.split,
    sourceId: example.sourceId,
    databaseId: example.databaseId,
    question: example.question,
    gold: example.gold[0] ?? "",
    status,
    score: 0,
    flagged: false,
    findings: [],
    votes: null,
  };
}

/** Examples by what they ask of which database, where more than one asks it. */
function byQuestion(examples: readonly Example[]): Map<string, Example[]> {
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const key = questionKey(example);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [example]);
    else group.push(example);
  }
  return groups;
}

function questionKey({ databaseId, question, evidence, history }: Example): string {
  const asked = [question, evidence ?? "", ...history.map((turn) => turn.question)];
  return JSON.stringify([databaseId, ...asked.map(foldQuestion)]);
}

function foldQuestion(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
