import type { Database } from "../core/database.ts";
import type { Execution } from "../core/execution.ts";
import type { SourceFile } from "../core/loader.ts";
import type { GradingReport } from "./grade-golds.ts";
import type { Reject } from "../core/reject.ts";

/** How one gold fared: as it ran, or why it could not. */
export type GoldStatus = Execution["status"] | "database_missing" | "database_unusable";

/** A gold that ran and failed. */
export interface BrokenGold {
  readonly sourceId: string;
  readonly databaseId: string;
  readonly status: GoldStatus;
  /** The kind of failure, such as `no such table`. */
  readonly cause: string;
  readonly message: string;
}

/** Every gold of a split, run. */
export interface GoldReport {
  readonly total: number;
  /** How many ended how; a status that no gold has is absent. */
  readonly statuses: Readonly<Partial<Record<GoldStatus, number>>>;
  /** Golds that ran: `ok` and `empty`. */
  readonly ran: number;
  /** Broken golds by cause, the commonest first. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
  /** In file order; golds of missing or unusable databases are counted under their database instead. */
  readonly broken: readonly BrokenGold[];
}

/** A source id that several rows have. */
export interface DuplicateId {
  readonly sourceId: string;
  readonly times: number;
}

/** What one split holds. */
export interface SplitReport {
  readonly split: string;
  /** The release of its rows; empty when there are none. */
  readonly release: string;
  readonly files: readonly (Pick<SourceFile, "name" | "role" | "required"> & { readonly present: boolean })[];
  /** Errors that kept a file from being read. */
  readonly problems: readonly string[];
  readonly golds: GoldReport;
  /** Absent where golds were not graded. */
  readonly grading?: GradingReport;
  /** A gold file is read only where there are no questions. */
  readonly goldsFrom: "questions" | "gold file" | "nothing";
  readonly examples: number;
  /** `whole`: every gold of the dialogue ran. Zero for single-turn datasets. */
  readonly dialogues: { readonly total: number; readonly whole: number };
  readonly rejects: readonly Reject[];
  /** Ids that occur more than once: with the same content, or with another. */
  readonly duplicates: {
    readonly identical: readonly DuplicateId[];
    readonly conflicting: readonly DuplicateId[];
  };
  /** Databases that its golds use, in the order of first use, and how many golds each has. */
  readonly databases: readonly { readonly databaseId: string; readonly golds: number }[];
  /** What did not match in the tables and description files of those databases. */
  readonly notes: readonly { readonly databaseId: string; readonly note: string }[];
}

/** One database file. `file` is `null` when it was found nowhere. */
export interface DatabaseReport
  extends Pick<Database, "databaseId" | "status" | "message" | "digest" | "bytes"> {
  readonly file: string | null;
  readonly tables: number;
  readonly rows: number;
}

/** Plain JSON. `ok`: nothing is missing, malformed, conflicting or broken. */
export interface DoctorReport {
  readonly loader: string;
  readonly root: string;
  readonly ok: boolean;
  readonly splits: readonly SplitReport[];
  readonly databases: readonly DatabaseReport[];
}

const LISTED = 20;

/** The report for a person: short, aligned, long lists cut with a count. */
export function renderDoctorReport(report: DoctorReport): string {
  const lines = [
    `${report.loader} in ${report.root}: ${report.ok ? "nothing is broken" : "not all is well"}`,
  ];
  for (const split of report.splits) lines.push("", ...renderSplit(split));
  lines.push("", ...renderDatabases(report));
  return lines.join("\n");
}

function renderSplit(split: SplitReport): string[] {
  const lines = [split.release === "" ? split.split : `${split.split} (release ${split.release})`];
  lines.push(...renderFiles(split));
  for (const problem of split.problems) lines.push(entry("problem", problem));
  const dialogues = split.dialogues.total === 0 ? "" : ` in ${count(split.dialogues.total)} dialogues`;
  lines.push(
    entry("examples", `${count(split.examples)}${dialogues} on ${split.databases.length} databases`),
  );
  lines.push(...listed("rejects", split.rejects, (row) => `${row.rowId}: ${row.code}: ${row.message}`));
  for (const kind of ["identical", "conflicting"] as const) {
    const rows = split.duplicates[kind];
    if (rows.length === 0) continue;
    const shown = rows.slice(0, LISTED).map((row) => `${row.sourceId} (${row.times} times)`);
    lines.push(entry("same id", `${kind} content: ${shown.join(", ")}${rest(rows.length)}`));
  }
  lines.push(...renderGolds(split));
  if (split.grading !== undefined) lines.push(...renderGrading(split.grading));
  lines.push(...listed("notes", split.notes, (row) => `${row.databaseId}: ${row.note}`));
  return lines;
}

function renderFiles(split: SplitReport): string[] {
  const lines: string[] = [];
  for (const file of split.files.filter((one) => one.role !== "descriptions")) {
    const absent = file.required ? "MISSING" : "absent";
    lines.push(entry(file.role, `${file.name}  ${file.present ? "present" : absent}`));
  }
  const descriptions = split.files.filter((one) => one.role === "descriptions").length;
  if (descriptions > 0) lines.push(entry("descriptions", `${descriptions} files`));
  return lines;
}

function renderGolds(split: SplitReport): string[] {
  const { golds } = split;
  if (golds.total === 0) return [entry("golds", "none to run")];
  const parts = Object.entries(golds.statuses).map(([status, number]) => `${status} ${count(number)}`);
  const from = split.goldsFrom === "gold file" ? " (from the gold file alone)" : "";
  const lines = [
    entry("golds", `${count(golds.ran)} of ${count(golds.total)} run${from}: ${parts.join(", ")}`),
  ];
  if (split.dialogues.total > 0) {
    lines.push(
      entry("", `${count(split.dialogues.whole)} of ${count(split.dialogues.total)} dialogues run whole`),
    );
  }
  const causes = golds.causes.map((one) => `${one.cause} ${one.count}`).join(", ");
  if (golds.broken.length > 0) lines.push(entry("broken", causes));
  for (const gold of golds.broken.slice(0, LISTED)) {
    lines.push(entry("", `${gold.sourceId}  ${gold.databaseId}  ${gold.message || gold.status}`));
  }
  if (golds.broken.length > LISTED) lines.push(entry("", `and ${count(golds.broken.length - LISTED)} more`));
  return lines;
}

function renderGrading({ graded, stable, modes, findings, undetermined }: GradingReport): string[] {
  const byMode = Object.entries(modes).map(([mode, number]) => `${mode} ${count(number)}`);
  const lines = [entry("grading", `${count(stable)} of ${count(graded)} golds stable: ${byMode.join(", ")}`)];
  if (findings.length === 0) return lines;
  const kinds = findings.map((one) => `${one.kind} ${count(one.golds)}`).join(", ");
  return [
    ...lines,
    entry("undetermined", kinds),
    ...undetermined.slice(0, LISTED).map((gold) => {
      const mode = gold.k === undefined ? gold.mode : `${gold.mode} of ${gold.k}`;
      const messages = gold.findings.map(({ message }) => message).join("; ");
      return entry("", `${gold.sourceId}  ${gold.databaseId}  ${mode}: ${messages}`);
    }),
    ...(undetermined.length > LISTED ? [entry("", `and ${count(undetermined.length - LISTED)} more`)] : []),
  ];
}

function renderDatabases({ databases, splits }: DoctorReport): string[] {
  const good = databases.filter((one) => one.status === "ok" || one.status === "wal");
  const bytes = good.reduce((sum, one) => sum + one.bytes, 0);
  const lines = [`databases: ${good.length} of ${databases.length} good, ${(bytes / 1e6).toFixed(1)} MB`];
  const uses = splits.flatMap((split) => split.databases);
  const ailing = databases
    .filter((one) => one.status !== "ok")
    .map(({ databaseId, status, message }) => {
      const mine = uses.filter((use) => use.databaseId === databaseId);
      return { databaseId, status, message, golds: mine.reduce((sum, use) => sum + use.golds, 0) };
    })
    .sort((left, right) => right.golds - left.golds);
  for (const one of ailing.slice(0, LISTED)) {
    lines.push(entry(one.status, `${one.databaseId}  ${count(one.golds)} golds: ${one.message}`));
  }
  if (ailing.length > LISTED) lines.push(entry("", `and ${count(ailing.length - LISTED)} more`));
  return lines;
}

function listed<T>(name: string, rows: readonly T[], render: (row: T) => string): string[] {
  if (rows.length === 0) return [];
  const lines = [entry(name, count(rows.length))];
  for (const row of rows.slice(0, LISTED)) lines.push(entry("", render(row)));
  if (rows.length > LISTED) lines.push(entry("", `and ${count(rows.length - LISTED)} more`));
  return lines;
}

function rest(length: number): string {
  return length > LISTED ? ` and ${count(length - LISTED)} more` : "";
}

function entry(name: string, text: string): string {
  return `  ${name.padEnd(14)} ${text}`;
}

function count(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
