import path from "node:path";
import type { AuditedExample } from "../core/audit.ts";
import type { Check } from "../core/check.ts";
import { SeededRandom } from "../core/random.ts";
import type { StageContext } from "../core/stage.ts";
import { goldFacts } from "../sql/gold-facts.ts";
import { auditExamples, AuditOptions } from "../pipelines/audit/audit-examples.ts";
import { readAuditedDataset, type AuditData } from "../pipelines/audit/audit-dataset.ts";
import { createPlugFinder } from "../pipelines/plugs.ts";
import { SILENT_REPORTER } from "../pipelines/reporter.ts";
import { openServices, type OpenServices } from "../pipelines/run-services.ts";
import { sharedFolder } from "../test/shared-folder.ts";
import { mutateGold, OPERATORS, poolKey } from "./mutated-golds.ts";
import { labelledPairs, rightAndWrong } from "./labelled-pairs.ts";

/** Mutated golds of an operator. */
const PER_OPERATOR = 300;
const WORKERS = 2;

/**
 * Prints, as Markdown, what the checks find in Spider's train golds as they are and changed by ten operators, and in
 * labelled pairs without and with votes. `npx tsx bench/audit-checks.ts`, after a build; needs the shared data folder.
 */
async function main(): Promise<void> {
  const shared = sharedFolder();
  if (shared === undefined) throw new Error("the shared data folder is absent: set GRADUS_SHARED");
  const spider = await mutations(path.join(shared, "data/spider"));
  await pairs(shared, spider);
}

/** Examples with each kind of finding, by `check/kind`. */
function byKind(rows: readonly AuditedExample[]): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const { sourceId, findings } of rows) {
    for (const { check, kind } of findings) {
      const name = `${check}/${kind}`;
      kinds.set(name, (kinds.get(name) ?? new Set()).add(sourceId));
    }
  }
  return kinds;
}

/** Every kind of every check, with its taxonomy codes and how often it is found. */
function checkTable(
  checks: readonly Check[],
  found: {
    readonly spider: ReadonlyMap<string, ReadonlySet<string>>;
    readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
    readonly labels: Parameters<typeof rightAndWrong>[0];
  },
): void {
  say("");
  say("| finding | means | confidence | taxonomies | Spider train | wrong pairs | right pairs | precision |");
  say("| --- | --- | ---: | --- | ---: | ---: | ---: | ---: |");
  for (const { id, kinds } of checks) {
    for (const [kind, { meaning, severity, confidence, taxonomy }] of Object.entries(kinds)) {
      const name = `${id}/${kind}`;
      const { right, wrong } = rightAndWrong(found.labels, found.pairs.get(name) ?? new Set());
      const codes = Object.entries(taxonomy).map(([key, code]) => `${key} ${code}`);
      const share = right + wrong === 0 ? "-" : (wrong / (right + wrong)).toFixed(2);
      const sure = `${confidence.toFixed(2)} ${severity}`;
      const cells = [
        name,
        meaning,
        sure,
        codes.join(", "),
        found.spider.get(name)?.size ?? 0,
        wrong,
        right,
        share,
      ];
      say(`| ${cells.join(" | ")} |`);
    }
  }
}

async function mutations(root: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const loader = await createPlugFinder().find("loader", "spider");
  const source = { root, split: "train", release: null };
  const folders = loader.databaseFolders(source);
  const services = openServicesFor(folders);
  try {
    const checks = await allChecks(services);
    const data = await readAuditedDataset({
      loader,
      source,
      databaseFolders: folders,
      predictions: [],
      inspector: services.inspector,
      context: contextOf(services),
    });
    const started = performance.now();
    const rows = await auditAll(data, checks, services);
    const seconds = (performance.now() - started) / 1000;
    const audited = rows.filter(({ status }) => status === "audited");
    const flagged = audited.filter((row) => row.flagged);
    say(
      `Spider train: ${audited.length} golds in ${seconds.toFixed(1)} s with ${WORKERS} workers; ${flagged.length} flagged (${percent(flagged.length, audited.length)})`,
    );
    say("");
    say("| operator | changed golds | give another result | flagged | recall |");
    say("| --- | ---: | ---: | ---: | ---: |");
    const clean = new Map(audited.filter((row) => !row.flagged).map((row) => [row.exampleId, row]));
    for (const operator of OPERATORS) await oneOperator(operator, { data, clean, checks, services });
    return byKind(audited);
  } finally {
    await services.close();
  }
}

interface MutationRun {
  readonly data: AuditData;
  /** Examples that are not flagged as they are. */
  readonly clean: ReadonlyMap<string, AuditedExample>;
  readonly checks: readonly Check[];
  readonly services: OpenServices;
}

async function oneOperator(operator: (typeof OPERATORS)[number], run: MutationRun): Promise<void> {
  const { data, clean, checks, services } = run;
  const pool = literalPool(data);
  const order = new SeededRandom(1, "audit-mutations", operator).shuffle(data.examples);
  const changed = new Map<string, string>();
  for (const example of order) {
    const database = data.databases.get(example.databaseId);
    const [gold] = example.gold;
    if (changed.size >= PER_OPERATOR) break;
    if (!clean.has(example.id) || database === undefined || gold === undefined) continue;
    const random = new SeededRandom(1, "audit-mutation", operator, example.id);
    const sql = mutateGold(operator, gold, { schema: database.schema, pool, random });
    if (sql !== null && sql !== gold) changed.set(example.id, sql);
  }
  const examples = data.examples.map((example) => {
    const sql = changed.get(example.id);
    return sql === undefined ? example : { ...example, gold: [sql] };
  });
  const rows = await auditAll({ ...data, examples }, checks, services, (id) => changed.has(id));
  const differing: AuditedExample[] = [];
  for (const row of rows)
    if (await differs(row, clean.get(row.exampleId), data, services)) differing.push(row);
  const found = differing.filter((row) => row.flagged).length;
  say(
    `| ${operator} | ${changed.size} | ${differing.length} | ${found} | ${percent(found, differing.length)} |`,
  );
}

/** Whether a changed gold fails, or gives other rows. */
async function differs(
  row: AuditedExample,
  original: AuditedExample | undefined,
  data: AuditData,
  { judge }: OpenServices,
): Promise<boolean> {
  const database = data.databases.get(row.databaseId);
  if (database === undefined || original === undefined) return false;
  const limits = { cpuMs: 10_000, maxRows: 1_000_000, maxBytes: 268_435_456 };
  const reply = await judge.judge({
    database,
    gold: [original.gold],
    predictions: [row.gold],
    metrics: [],
    goldLimits: limits,
    predictionLimits: limits,
  });
  const [gold, answer] = [reply.gold[0], reply.answers[0]?.execution];
  return gold?.digest !== answer?.digest || gold?.orderedDigest !== answer?.orderedDigest;
}

function literalPool({ examples, databases }: AuditData): Map<string, string[]> {
  const pool = new Map<string, string[]>();
  for (const { databaseId, gold } of examples) {
    const schema = databases.get(databaseId)?.schema;
    if (schema === undefined) continue;
    for (const literal of goldFacts(gold[0] ?? "", schema).literals) {
      if (literal.kind !== "text" || literal.column === null) continue;
      const key = poolKey(literal, databaseId);
      pool.set(key, [...(pool.get(key) ?? []), literal.value]);
    }
  }
  return pool;
}

async function pairs(shared: string, spider: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
  for (const withVotes of [false, true]) {
    const { labels, rows } = await labelledPairs(shared, withVotes);
    const flagged = new Set(rows.filter((row) => row.flagged).map((row) => row.sourceId));
    const { right, wrong } = rightAndWrong(labels, flagged);
    const all = [...labels.values()].filter(({ label }) => !label).length;
    say("");
    say(
      `Labelled pairs ${withVotes ? "with votes" : "without votes"}: ${wrong + right} flagged, precision ${(wrong / (wrong + right)).toFixed(3)}, recall ${(wrong / all).toFixed(3)}`,
    );
    say("");
    say("| error type | pairs | flagged |");
    say("| --- | ---: | ---: |");
    const types = [...new Set([...labels.values()].flatMap((one) => one.types))].sort();
    for (const type of types) {
      const ids = [...labels].filter(([, one]) => one.types.includes(type)).map(([id]) => id);
      say(`| ${type} | ${ids.length} | ${ids.filter((id) => flagged.has(id)).length} |`);
    }
    if (withVotes) continue;
    const services = openServicesFor([]);
    checkTable(await allChecks(services), { spider, pairs: byKind(rows), labels });
    await services.close();
  }
}

function openServicesFor(databaseFolders: readonly string[]): OpenServices {
  const { signal } = new AbortController();
  return openServices({ databaseFolders, workers: WORKERS, reporter: SILENT_REPORTER, signal });
}

function contextOf(services: OpenServices): StageContext {
  return { ...services, seed: 0, folder: "", progress: () => undefined, warn: () => undefined };
}

async function allChecks({ plugs }: OpenServices): Promise<Check[]> {
  return Promise.all((await plugs.list("check")).map((id) => plugs.find("check", id)));
}

async function auditAll(
  data: AuditData,
  checks: readonly Check[],
  services: OpenServices,
  only?: (exampleId: string) => boolean,
): Promise<AuditedExample[]> {
  const rows: AuditedExample[] = [];
  const audited = auditExamples({
    ...data,
    ...(only === undefined ? {} : { only: ({ id }) => only(id) }),
    checks,
    options: AuditOptions.parse({}),
    runner: services.sql,
    judge: services.judge,
    concurrency: WORKERS * 8,
    signal: services.signal,
    progress: () => undefined,
  });
  for await (const row of audited) rows.push(row);
  return rows;
}

function percent(part: number, all: number): string {
  return all === 0 ? "-" : `${((100 * part) / all).toFixed(1)} %`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
