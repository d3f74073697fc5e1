import type { ColumnType, ShardColumn } from "../core/shard.ts";

/** How strictly cells are held to their columns. */
export type ShardForm =
  /** Every field is declared: what Parquet needs. */
  | "closed"
  /** A struct below the columns may hold fields besides the declared ones: what JSON Lines allows. */
  | "open";

const LONE_SURROGATE = /\p{Surrogate}/u;
const INT64_LIMIT = 2n ** 63n;

/**
 * Says why a row cannot stand under `columns`, or `null` when it can: a column too few or too many, a cell
 * of another type, a null, an integer that JSON cannot carry exactly, text that is not valid Unicode (a
 * surrogate alone). Cells of an int64 column are safe integers or bigints.
 */
export function shardRowProblem(
  row: Readonly<Record<string, unknown>>,
  columns: readonly ShardColumn[],
  form: ShardForm = "closed",
): string | null {
  for (const { name, type } of columns) {
    if (!Object.hasOwn(row, name)) return `column ${name} is missing`;
    const problem = cellProblem(row[name], type, form);
    if (problem !== null) return `${name}${problem}`;
  }
  for (const name of Object.keys(row)) {
    if (!columns.some((column) => column.name === name)) return `column ${name} is not declared`;
  }
  return null;
}

/** The problem of a cell as the rest of a path, with the text after it. */
function cellProblem(value: unknown, type: ColumnType, form: ShardForm): string | null {
  if (typeof type === "string") return scalarProblem(value, type);
  if ("list" in type) {
    if (!Array.isArray(value)) return wrongType(value, "a list");
    for (const [index, item] of value.entries()) {
      const problem = cellProblem(item, type.list, form);
      if (problem !== null) return `[${index}]${problem}`;
    }
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrongType(value, "a struct");
  return structProblem(value as Readonly<Record<string, unknown>>, type.struct, form);
}

function structProblem(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, ColumnType>>,
  form: ShardForm,
): string | null {
  for (const [name, type] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) return `.${name} is missing`;
    const problem = cellProblem(value[name], type, form);
    if (problem !== null) return `.${name}${problem}`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(fields, name)) continue;
    if (form === "closed") return `.${name} is not declared`;
    const problem = openProblem(member);
    if (problem !== null) return `.${name}${problem}`;
  }
  return null;
}

function scalarProblem(value: unknown, type: Exclude<ColumnType, object>): string | null {
  if (type === "string") {
    if (typeof value !== "string") return wrongType(value, "a string");
    return LONE_SURROGATE.test(value) ? " holds a lone surrogate, expected valid Unicode" : null;
  }
  if (type === "bool") return typeof value === "boolean" ? null : wrongType(value, "a boolean");
  if (type === "float64") return Number.isFinite(value) ? null : wrongType(value, "a finite number");
  if (typeof value === "bigint" && value >= -INT64_LIMIT && value < INT64_LIMIT) return null;
  return Number.isSafeInteger(value) ? null : wrongType(value, "a 64-bit integer that is exact");
}

/** Undeclared content: any JSON, as long as its text is valid Unicode. */
function openProblem(value: unknown): string | null {
  if (typeof value === "string") return scalarProblem(value, "string");
  if (typeof value !== "object" || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (LONE_SURROGATE.test(name)) return " has a name that holds a lone surrogate, expected valid Unicode";
    const problem = openProblem(member);
    if (problem !== null) return `.${name}${problem}`;
  }
  return null;
}

function wrongType(value: unknown, expected: string): string {
  return ` is ${describe(value)}, expected ${expected}`;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "bigint") return `the number ${value}`;
  return typeof value === "object" ? "a struct" : `of type ${typeof value}`;
}
