import pMap from "p-map";
import type { Database, DatabaseSchema } from "../core/database.ts";
import { GradusError, formatError } from "../core/errors.ts";
import type { Example } from "../core/example.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { DatabaseInspector } from "../core/inspector.ts";
import type { Judge } from "../core/judge.ts";
import { identityOf } from "../core/key.ts";
import type { DatasetLoader, DatasetSource, LoadedSchema, SourceFile } from "../core/loader.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { Reject } from "../core/reject.ts";
import type { SqlRunner } from "../core/sql-runner.ts";
import { presentFiles } from "../datasets/source-files.ts";
import { readLines } from "../io/jsonl.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { type GoldItem, runGolds } from "./doctor-golds.ts";
import type { DatabaseReport, DoctorReport, DuplicateId, SplitReport } from "./doctor-report.ts";
import { gradeGolds } from "./grade-golds.ts";

export { renderDoctorReport } from "./doctor-report.ts";

export interface DiagnoseOptions {
  /** Id of the loader. */
  readonly loader: string;
  readonly root: string;
  /** `null` for every split of which the questions, or else the golds, are there. */
  readonly splits: readonly string[] | null;
  readonly release: string | null;
  readonly plugs: PlugFinder;
  /** Must find databases in the folders that the loader names for the splits. */
  readonly judge: Judge;
  readonly inspector: DatabaseInspector;
  /** Runs what finding the grading mode of each gold takes; modes are left out without it. */
  readonly grader?: SqlRunner;
  /** Of one gold; 60 seconds, a million rows and 256 MiB unless given. */
  readonly limits?: ExecutionLimits;
  /** Golds and databases handed on at once; 16 unless given. */
  readonly concurrency?: number;
  progress(done: number, total?: number): void;
}

const LIMITS: ExecutionLimits = { cpuMs: 60_000, maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };

/** A file in write-ahead mode is read from a copy. */
const USABLE: ReadonlySet<Database["status"]> = new Set(["ok", "wal"]);

/**
 * Looks at a dataset before anything is spent on it: files, counts, ids, databases, and every gold, run
 * once. Files that are missing or malformed are reported, not thrown.
 * @throws PLUG_UNKNOWN, DATASET_SPLIT_UNKNOWN.
 */
export async function diagnose(options: DiagnoseOptions): Promise<DoctorReport> {
  const loader = await options.plugs.find("loader", options.loader);
  const splits = options.splits ?? (await splitsPresent(loader, options.root, options.release));
  const reports: SplitReport[] = [];
  const databases = new Map<string, DatabaseReport>();
  for (const split of splits) {
    const source = { root: options.root, split, release: options.release };
    reports.push(await diagnoseSplit(options, loader, source, databases));
  }
  const ok = reports.every(splitIsWell) && [...databases.values()].every((one) => USABLE.has(one.status));
  return { loader: loader.id, root: options.root, ok, splits: reports, databases: [...databases.values()] };
}

/** The splits of which the questions, or else the golds, are there; the usual one when none is. */
export async function splitsPresent(
  loader: DatasetLoader,
  root: string,
  release: string | null,
): Promise<readonly string[]> {
  const present: string[] = [];
  for (const split of loader.splits) {
    const files = await filesOf(loader, { root, split, release }, []);
    const there = await presentFiles(
      files.filter((file) => file.role === "questions" || isOwnGold(file, split)),
    );
    if (there.length > 0) present.push(split);
  }
  return present.length > 0 ? present : loader.splits.slice(0, 1);
}

/** Whether a gold file belongs to this split alone: its name begins with the split's. */
function isOwnGold(file: SourceFile, split: string): boolean {
  return file.role === "gold" && file.name.includes(split);
}

async function diagnoseSplit(
  options: DiagnoseOptions,
  loader: DatasetLoader,
  source: DatasetSource,
  databases: Map<string, DatabaseReport>,
): Promise<SplitReport> {
  const problems: string[] = [];
  const files = await filesOf(loader, source, problems);
  const present = new Set(await presentFiles(files));
  const rows = await readSplit(loader, source, present, problems);
  const schemas = await schemasOf(loader, source, present, problems);
  const used = countBy(rows.golds.map((gold) => gold.databaseId));
  const inspected = await inspectAll({ options, loader, source, schemas, used: [...used.keys()] });
  for (const [databaseId, { database, file }] of inspected) {
    if (!databases.has(`${databaseId}\n${file ?? ""}`)) {
      databases.set(`${databaseId}\n${file ?? ""}`, reportDatabase(database, file));
    }
  }
  const shared = {
    databases: new Map([...inspected].map(([databaseId, { database }]) => [databaseId, database])),
    limits: options.limits ?? LIMITS,
    concurrency: options.concurrency ?? 16,
    progress: (done: number, total: number) => options.progress(done, total),
  };
  const { report, brokenDialogues } = await runGolds({ ...shared, items: rows.golds, judge: options.judge });
  const { grader } = options;
  const grading =
    grader === undefined ? null : await gradeGolds({ ...shared, golds: rows.golds, runner: grader });
  return {
    split: source.split,
    release: rows.release,
    files: files.map((file) => ({
      name: file.name,
      role: file.role,
      required: file.required,
      present: present.has(file),
    })),
    problems,
    golds: report,
    ...(grading === null ? {} : { grading }),
    goldsFrom: rows.goldsFrom,
    examples: rows.examples,
    dialogues: { total: rows.dialogues.size, whole: rows.dialogues.size - brokenDialogues.size },
    rejects: rows.rejects,
    duplicates: rows.duplicates,
    databases: [...used].map(([databaseId, golds]) => ({ databaseId, golds })),
    notes: notesOf(schemas, used),
  };
}

function splitIsWell(split: SplitReport): boolean {
  return (
    split.problems.length === 0 &&
    split.files.every((file) => file.present || !file.required) &&
    split.rejects.length === 0 &&
    split.duplicates.conflicting.length === 0 &&
    split.golds.ran === split.golds.total
  );
}

async function filesOf(
  loader: DatasetLoader,
  source: DatasetSource,
  problems: string[],
): Promise<readonly SourceFile[]> {
  return (await attempt(problems, () => loader.files(source))) ?? [];
}

/** Runs `action`; what is wrong with a dataset's files becomes a problem. */
async function attempt<T>(problems: string[], action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (thrown) {
    if (!(thrown instanceof GradusError) || thrown.code === "DATASET_SPLIT_UNKNOWN") throw thrown;
    problems.push(formatError(thrown).replaceAll("\n", "; "));
    return undefined;
  }
}

interface SplitRows {
  release: string;
  goldsFrom: SplitReport["goldsFrom"];
  examples: number;
  readonly dialogues: Set<string>;
  readonly rejects: Reject[];
  readonly golds: GoldItem[];
  duplicates: SplitReport["duplicates"];
}

async function readSplit(
  loader: DatasetLoader,
  source: DatasetSource,
  present: ReadonlySet<SourceFile>,
  problems: string[],
): Promise<SplitRows> {
  const rows: SplitRows = {
    release: "",
    goldsFrom: "nothing",
    examples: 0,
    dialogues: new Set(),
    rejects: [],
    golds: [],
    duplicates: { identical: [], conflicting: [] },
  };
  const files = [...present];
  const gold = files.find((file) => isOwnGold(file, source.split));
  if (files.some((file) => file.role === "questions")) {
    rows.goldsFrom = "questions";
    await attempt(problems, () => readExamples(loader, source, rows));
  } else if (gold !== undefined) {
    rows.goldsFrom = "gold file";
    await attempt(problems, () => readGoldFile(gold, rows));
  }
  return rows;
}

async function readExamples(loader: DatasetLoader, source: DatasetSource, rows: SplitRows): Promise<void> {
  const contents = new Map<string, string[]>();
  for await (const row of loader.load(source)) {
    if (row.kind === "reject") {
      rows.rejects.push(row.reject);
      continue;
    }
    const { example } = row;
    rows.release = example.dataset.release;
    rows.examples += 1;
    const dialogueId = example.dialogue?.id ?? null;
    if (dialogueId !== null) rows.dialogues.add(dialogueId);
    const { sourceId, databaseId } = example;
    contents.set(sourceId, [...(contents.get(sourceId) ?? []), contentOf(example)]);
    for (const sql of example.gold) rows.golds.push({ sourceId, databaseId, sql, dialogueId });
  }
  rows.duplicates = duplicatesIn(contents);
}

/** What two rows of one id must share to be the same row. */
function contentOf(example: Example): string {
  const { id: _, ...content } = example;
  return identityOf(content);
}

function duplicatesIn(contents: ReadonlyMap<string, readonly string[]>): SplitReport["duplicates"] {
  const identical: DuplicateId[] = [];
  const conflicting: DuplicateId[] = [];
  for (const [sourceId, digests] of contents) {
    if (digests.length === 1) continue;
    const kind = new Set(digests).size === 1 ? identical : conflicting;
    kind.push({ sourceId, times: digests.length });
  }
  return { identical, conflicting };
}

/** Reads `SQL<tab>database` lines; the id of a gold is its line, from 0. A blank line parts dialogues. */
async function readGoldFile(file: SourceFile, rows: SplitRows): Promise<void> {
  let index = 0;
  for await (const { text, line } of readLines(file.path)) {
    if (text.trim() === "") continue;
    const tab = text.lastIndexOf("\t");
    if (tab < 0) {
      const message = "expected SQL, a tab and the name of a database";
      rows.rejects.push({ rowId: `${file.name}:${line}`, code: "ROW_INVALID", message });
    } else {
      const databaseId = text.slice(tab + 1).trim();
      rows.golds.push({ sourceId: String(index), databaseId, sql: text.slice(0, tab), dialogueId: null });
    }
    index += 1;
  }
}

async function schemasOf(
  loader: DatasetLoader,
  source: DatasetSource,
  present: ReadonlySet<SourceFile>,
  problems: string[],
): Promise<readonly LoadedSchema[]> {
  if (![...present].some((file) => file.role === "tables")) return [];
  return (await attempt(problems, () => loader.schemas(source))) ?? [];
}

function notesOf(schemas: readonly LoadedSchema[], used: ReadonlyMap<string, number>): SplitReport["notes"] {
  return schemas
    .filter(({ schema }) => used.has(schema.databaseId))
    .flatMap(({ schema, notes }) => notes.map((note) => ({ databaseId: schema.databaseId, note })));
}

interface Inspection {
  readonly options: DiagnoseOptions;
  readonly loader: DatasetLoader;
  readonly source: DatasetSource;
  readonly schemas: readonly LoadedSchema[];
  readonly used: readonly string[];
}

async function inspectAll(
  inspection: Inspection,
): Promise<Map<string, { database: Database; file: string | null }>> {
  const { options, loader, source } = inspection;
  const locate = databaseLocator(loader.databaseFolders(source));
  const described = new Map<string, DatabaseSchema>(
    inspection.schemas.map(({ schema }) => [schema.databaseId, schema]),
  );
  const found = await pMap(
    inspection.used,
    async (databaseId) => {
      const file = locate(databaseId);
      const request = {
        databaseId,
        path: file,
        described: described.get(databaseId) ?? null,
        valuesPerColumn: 0,
      };
      return [databaseId, { database: await options.inspector.inspect(request), file }] as const;
    },
    { concurrency: options.concurrency ?? 16 },
  );
  return new Map(found);
}

function reportDatabase(database: Database, file: string | null): DatabaseReport {
  const { databaseId, status, message, digest, bytes } = database;
  const rows = database.rowCounts.reduce((sum, count) => sum + count, 0);
  return { databaseId, status, message, digest, bytes, file, tables: database.schema.tables.length, rows };
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
