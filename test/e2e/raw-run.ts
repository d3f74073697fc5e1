import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** A row as it lies on disk. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The rows of a JSON Lines file, by nothing but its lines. */
export function jsonLines(file: string): RawRow[] {
  const lines = readFileSync(file, "utf8").split("\n");
  if (lines.pop() !== "") throw new Error(`${file} does not end with a line's end`);
  return lines.map((line) => JSON.parse(line) as RawRow);
}

/** The steps of a run that are done. */
export function stepsOf(runFolder: string): string[] {
  return Object.keys(latestOf(runFolder));
}

/** The rows that a step of a run gave at a port. */
export function portRows(runFolder: string, step: string, port: string): RawRow[] {
  return jsonLines(path.join(runFolder, "artifacts", step, latestOf(runFolder)[step] ?? "", `${port}.jsonl`));
}

function latestOf(runFolder: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(runFolder, "latest.json"), "utf8")) as Record<string, string>;
}

/** How many rows have each value of a field. */
export function countBy(rows: readonly RawRow[], field: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[String(row[field])] = (counts[String(row[field])] ?? 0) + 1;
  return counts;
}

/** The rows of a Parquet file, nested values as plain JSON. */
export async function parquetRows(file: string): Promise<RawRow[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(
      `SELECT * FROM read_parquet('${file.replaceAll("'", "''")}')`,
    );
    return reader.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Every row of a shard folder by split, its files read by their endings. */
export async function shardRows(folder: string): Promise<Record<string, RawRow[]>> {
  const rows: Record<string, RawRow[]> = {};
  for (const name of readdirSync(folder).sort()) {
    const found = /^([a-z]+)-\d{5}-of-\d{5}\.(parquet|jsonl)$/.exec(name);
    if (found === null) continue;
    const [, split = "", ending] = found;
    const file = path.join(folder, name);
    rows[split] = [
      ...(rows[split] ?? []),
      ...(ending === "jsonl" ? jsonLines(file) : await parquetRows(file)),
    ];
  }
  return rows;
}

/** Every file below a folder by relative path. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** SHA-256 of every file below a folder. */
export function digestsBelow(folder: string): Record<string, string> {
  return Object.fromEntries(filesBelow(folder).map((name) => [name, sha256Of(path.join(folder, name))]));
}

/** When every file below a folder was last written, and which file it is to the system. */
export function stampsBelow(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder).map((name) => {
      const { mtimeMs, ctimeMs, ino } = statSync(path.join(folder, name));
      return [name, `${mtimeMs} ${ctimeMs} ${ino}`];
    }),
  );
}

function sha256Of(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

interface RawManifest {
  readonly key: string;
  readonly outputs: Readonly<Record<string, { readonly rows: number }>>;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/**
 * What of a run's folder says that it is whole and is not, a line each: artifacts whose rows or files are not
 * those of their manifest, and shard folders without a manifest or without its files.
 */
export function falselyWhole(runFolder: string): string[] {
  const wrong: string[] = [];
  for (const folder of foldersBelow(path.join(runFolder, "artifacts"), 2)) {
    if (!existsSync(path.join(folder, "manifest.json"))) continue;
    const manifest = manifestOf(folder);
    if (manifest.key !== path.basename(folder)) wrong.push(`${folder} has another key`);
    for (const [port, { rows }] of Object.entries(manifest.outputs)) {
      if (jsonLines(path.join(folder, `${port}.jsonl`)).length !== rows) wrong.push(`${folder} ${port}`);
    }
    wrong.push(...wrongFiles(path.join(folder, "files"), manifest));
  }
  for (const folder of foldersBelow(path.join(runFolder, "shards"), 1)) {
    if (/\.(partial|previous)$/.test(folder)) continue;
    if (!existsSync(path.join(folder, "manifest.json"))) wrong.push(`${folder} has no manifest`);
    else wrong.push(...wrongFiles(folder, manifestOf(folder)));
  }
  return wrong;
}

function manifestOf(folder: string): RawManifest {
  return JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")) as RawManifest;
}

function wrongFiles(folder: string, manifest: RawManifest): string[] {
  return manifest.files
    .map((file) => ({ ...file, at: path.join(folder, file.path) }))
    .filter(({ at, sha256 }) => !existsSync(at) || sha256Of(at) !== sha256)
    .map(({ at }) => `${at} is not as its manifest says`);
}

function foldersBelow(folder: string, depth: number): string[] {
  if (!existsSync(folder)) return [];
  const children = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));
  return depth === 1 ? children : children.flatMap((child) => foldersBelow(child, depth - 1));
}
