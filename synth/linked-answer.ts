import type { DatabaseSchema } from "../core/database.ts";
import type { Json } from "../core/key.ts";
import type { LinkedTable } from "../core/trajectory.ts";
import { readJson } from "./lenient-json.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import { isSameName } from "./schema-lookup.ts";

/** A schema linker's answer: the tables and columns, or in words for the agent why it is none. */
export type LinkedAnswer =
  | { readonly ok: true; readonly links: readonly LinkedTable[]; readonly isRepaired: boolean }
  | { readonly ok: false; readonly problem: string };

const MOST_NAMES = 10;

/**
 * Reads `{"table": ["column", …]}`. Names are found without ASCII case and given as the database writes them,
 * in its order; a name that the database does not have is a problem, and so is an answer without a table.
 * @paper DualSQL, the linked schema; what unknown names mean is not in the paper
 */
export function readLinkedAnswer(text: string, schema: DatabaseSchema): LinkedAnswer {
  const reading = readJson(text, 0);
  if (!reading.ok) return wrong(`it is not JSON: ${reading.problem}`);
  if (text.slice(reading.end).trim() !== "") return wrong("more than one JSON object stands in the block");
  const named = reading.value;
  if (typeof named !== "object" || named === null || Array.isArray(named)) {
    return wrong("it is no JSON object");
  }
  const entries = Object.entries(named as Readonly<Record<string, Json>>);
  if (entries.length === 0) return wrong("it names no table");
  const found = new Map<string, ReadonlySet<string>>();
  const unknown: string[] = [];
  for (const [name, columns] of entries) {
    if (!Array.isArray(columns) || !columns.every((column) => typeof column === "string")) {
      return wrong(`the columns of ${quoted(name)} are no list of names`);
    }
    const table = schema.tables.find((candidate) => isSameName(candidate.name, name));
    if (table === undefined) {
      unknown.push(`the table ${quoted(name)}`);
      continue;
    }
    const kept = new Set(found.get(table.name));
    for (const column of columns as readonly string[]) {
      const known = table.columns.find((candidate) => isSameName(candidate.name, column));
      if (known === undefined) unknown.push(`the column ${quoted(column)} of ${quoted(table.name)}`);
      else kept.add(known.name);
    }
    found.set(table.name, kept);
  }
  if (unknown.length > 0) return wrong(`the database does not have ${listed(unknown)}`);
  return { ok: true, links: inOrder(found, schema), isRepaired: reading.isRepaired };
}

function inOrder(found: ReadonlyMap<string, ReadonlySet<string>>, { tables }: DatabaseSchema): LinkedTable[] {
  return tables.flatMap(({ name, columns }) => {
    const kept = found.get(name);
    if (kept === undefined) return [];
    return [
      { table: name, columns: columns.map((column) => column.name).filter((column) => kept.has(column)) },
    ];
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

function wrong(problem: string): LinkedAnswer {
  return { ok: false, problem: `Your answer cannot be read: ${problem}.` };
}

function quoted(name: string): string {
  return shortenText(oneLineText(JSON.stringify(name)), 80);
}
