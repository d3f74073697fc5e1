import path from "node:path";
import { DuckDBInstance, DuckDBTypeId } from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBType, JS } from "@duckdb/node-api";
import { GradusError, messageOf } from "../core/errors.ts";
import type { ColumnType, ShardColumn } from "../core/shard.ts";
import { fileError, makeFolder, move, remove } from "./files.ts";
import { LineWriter } from "./line-writer.ts";
import { shardRowProblem } from "./shard-row.ts";

/** A row for a Parquet file: plain JSON, and bigints where a column is int64. */
export type ParquetRow = Readonly<Record<string, unknown>>;

/** Text of JSON that one row group holds, in bytes, as far as whole chunks of rows allow. */
const ROW_GROUP_BYTES = 16 << 20;
const ROW_GROUP_MAX_ROWS = 4096;
const MEMORY_BYTES = 256_000_000;
/** A row longer than this needs more memory than {@link MEMORY_BYTES}, by {@link MEMORY_PER_ROW_BYTE}. */
const LONG_ROW_BYTES = 8 << 20;
const MEMORY_PER_ROW_BYTE = 24;

/**
 * Writes rows to a Parquet file (zstd), in their order, with the declared types whatever the rows hold. The
 * file appears whole or not at all, and its bytes depend on rows and columns alone: one thread writes it.
 * Rows pass through a neighbour on disk, `<file>.scratch`, in bounded memory. `checked` says that the rows are plain
 * JSON that stands under the columns.
 * @throws EXPORT_ROW_UNSUPPORTED for a row that the columns cannot hold (see `shardRowProblem`), with its
 * 0-based place; DISK_FULL, FILE_FORBIDDEN, PARQUET_FAILED.
 */
export async function writeParquet(
  file: string,
  columns: readonly ShardColumn[],
  rows: AsyncIterable<ParquetRow> | Iterable<ParquetRow>,
  { checked = false }: { readonly checked?: boolean } = {},
): Promise<{ rows: number }> {
  const scratch = `${file}.scratch`;
  await remove(scratch);
  await makeFolder(scratch);
  try {
    const lines = path.join(scratch, "rows.jsonl");
    const written = await writeRows(lines, checked ? null : columns, rows);
    const made = path.join(scratch, "made.parquet");
    const groupRows = rowGroupRows(written);
    const longest = written.longestLineBytes;
    const extra = Math.max(0, longest - LONG_ROW_BYTES) * MEMORY_PER_ROW_BYTE;
    await withDuckDb({ scratch, memoryBytes: MEMORY_BYTES + extra }, file, async (connection) => {
      await connection.run(
        `COPY (SELECT * FROM read_json(${globFree(lines)}, format = 'newline_delimited', ` +
          `maximum_object_size = ${Math.max(1 << 20, longest + 1024)}, columns = ${columnList(columns)})) ` +
          `TO ${quoteText(made)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows})`,
      );
    });
    await move(made, file);
    return { rows: written.lines };
  } finally {
    await remove(scratch);
  }
}

/** Reads a Parquet file row by row; int64 cells are numbers where exact, else bigints. Throws PARQUET_FAILED. */
export async function* readParquet(file: string): AsyncGenerator<Record<string, unknown>> {
  const instance = await DuckDBInstance.create(":memory:", settings(MEMORY_BYTES));
  const connection = await instance.connect();
  try {
    const result = await connection.stream(`SELECT * FROM read_parquet(${globFree(file)})`);
    for await (const chunk of result.yieldRowObjectJs()) {
      for (const row of chunk) yield plain(row) as Record<string, unknown>;
    }
  } catch (thrown) {
    throw parquetError("read", file, thrown);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The columns of a Parquet file, in order. Throws PARQUET_FAILED, PARQUET_TYPE_UNKNOWN. */
export async function describeParquet(file: string): Promise<ShardColumn[]> {
  return await withDuckDb({ memoryBytes: MEMORY_BYTES }, file, async (connection) => {
    const result = await connection.run(`SELECT * FROM read_parquet(${globFree(file)}) LIMIT 0`);
    return result
      .columnNames()
      .map((name, index) => ({ name, type: columnType(result.columnType(index), file) }));
  });
}

/** Without columns, rows are known to stand under them. */
async function writeRows(
  lines: string,
  columns: readonly ShardColumn[] | null,
  rows: AsyncIterable<ParquetRow> | Iterable<ParquetRow>,
): Promise<{ lines: number; bytes: number; longestLineBytes: number }> {
  const writer = await LineWriter.open(lines);
  try {
    let position = 0;
    for await (const row of rows) {
      const problem = columns === null ? null : shardRowProblem(row, columns);
      if (problem !== null) {
        throw new GradusError(
          "EXPORT_ROW_UNSUPPORTED",
          `cannot write row ${position} to Parquet: ${problem}`,
          {
            site: { rowId: String(position) },
          },
        );
      }
      await writer.add(columns === null ? JSON.stringify(row) : jsonText(row));
      position += 1;
    }
    return await writer.finish();
  } catch (thrown) {
    await writer.abandon();
    throw thrown;
  }
}

/** JSON with bigints as numbers. */
function jsonText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`,
  );
  return `{${members.join(",")}}`;
}

function rowGroupRows(written: { lines: number; bytes: number }): number {
  const average = written.bytes / Math.max(1, written.lines);
  return Math.max(1, Math.min(ROW_GROUP_MAX_ROWS, Math.floor(ROW_GROUP_BYTES / Math.max(1, average))));
}

function settings(memoryBytes: number): Record<string, string> {
  return {
    threads: "1",
    memory_limit: `${Math.ceil(memoryBytes / 1e6)}MB`,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  };
}

/** Runs `action` on a database in memory; with a scratch folder, it can touch no file outside of it. */
async function withDuckDb<T>(
  setup: { readonly scratch?: string; readonly memoryBytes: number },
  file: string,
  action: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const { scratch } = setup;
  try {
    const instance = await DuckDBInstance.create(":memory:", {
      ...settings(setup.memoryBytes),
      ...(scratch === undefined ? {} : { temp_directory: path.join(scratch, "spill") }),
    });
    const connection = await instance.connect();
    try {
      if (scratch !== undefined && !GLOB.test(scratch)) await lock(connection, scratch);
      return await action(connection);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } catch (thrown) {
    throw parquetError(scratch === undefined ? "read" : "write", file, thrown);
  }
}

/** DuckDB refuses a pattern under its lock, so a path that must be escaped as one goes without. */
const GLOB = /[*?[]/;

async function lock(connection: DuckDBConnection, scratch: string): Promise<void> {
  await connection.run(`SET allowed_directories = [${quoteText(`${path.resolve(scratch)}/`)}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

function parquetError(action: "read" | "write", file: string, thrown: unknown): GradusError {
  if (thrown instanceof GradusError) return thrown;
  const message = messageOf(thrown);
  const code = SYSTEM_CODES.find(([pattern]) => pattern.test(message))?.[1];
  if (code !== undefined) return fileError(action, file, Object.assign(new Error(message), { code }));
  const memory = /out of memory/i.test(message);
  return new GradusError("PARQUET_FAILED", `cannot ${action} ${file}: ${message.split("\n", 1)[0]}`, {
    hint: memory ? "write fewer rows a file (rowsPerFile)" : "write the file again from its rows",
    cause: thrown,
  });
}

/** What DuckDB's messages end with when the system refused. */
const SYSTEM_CODES: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/, "ENOSPC"],
  [/Permission denied|Read-only file system|Operation not permitted/, "EACCES"],
  [/No such file or directory|No files found that match/, "ENOENT"],
];

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A path as a SQL string in which no character stands for others. */
function globFree(file: string): string {
  return quoteText(path.resolve(file).replace(/[*?[]/g, "[$&]"));
}

function columnList(columns: readonly ShardColumn[]): string {
  return `{${columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(sqlType(type))}`).join(", ")}}`;
}

const SQL_SCALARS = { string: "VARCHAR", int64: "BIGINT", float64: "DOUBLE", bool: "BOOLEAN" } as const;

function sqlType(type: ColumnType): string {
  if (typeof type === "string") return SQL_SCALARS[type];
  if ("list" in type) return `${sqlType(type.list)}[]`;
  const fields = Object.entries(type.struct);
  return `STRUCT(${fields.map(([name, member]) => `"${name.replaceAll('"', '""')}" ${sqlType(member)}`).join(", ")})`;
}

function columnType(type: DuckDBType, file: string): ColumnType {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return "string";
    case DuckDBTypeId.BIGINT:
      return "int64";
    case DuckDBTypeId.DOUBLE:
      return "float64";
    case DuckDBTypeId.BOOLEAN:
      return "bool";
    case DuckDBTypeId.LIST:
      return { list: columnType(type.valueType, file) };
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type;
      return {
        struct: Object.fromEntries(
          entryTypes.map((entry, index) => [entryNames[index] ?? "", columnType(entry, file)]),
        ),
      };
    }
    default:
      throw new GradusError(
        "PARQUET_TYPE_UNKNOWN",
        `cannot describe ${file}: it has a column of ${type.toString()}`,
        {
          hint: "expected strings, int64, float64, booleans, lists and structs",
        },
      );
  }
}

function plain(value: JS): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof Date) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
