import type { DatabaseSchema } from "../core/database.ts";
import { tokenize } from "../sql/lexer.ts";
import { foldName } from "../sql/fold-name.ts";

/** Which columns may be matched: those of one group, on either side. Group 0 is matched by content alone. */
export interface ColumnGroups {
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
}

/**
 * Binds the columns of two results by name. A name that occurs once on each side puts its two columns into a
 * group of their own; all other columns are in group 0, those of a name that occurs twice on a side among
 * them. Names are compared as SQL does: without regard to the case of ASCII letters.
 *
 * A name is a bare word, or the name of a column of the schema. The text of an unnamed expression, which the
 * engine reports in place of a name, is none: `max(T1.a)` says nothing once the aliases differ.
 */
export function bindColumns(
  goldNames: readonly string[],
  predictedNames: readonly string[],
  schema: DatabaseSchema,
): ColumnGroups {
  const gold = goldNames.map(foldName);
  const predicted = predictedNames.map(foldName);
  const known = columnNamesOf(schema);
  const groups = new Map<string, number>();
  for (const name of gold) {
    if (!occursOnce(name, gold) || !occursOnce(name, predicted)) continue;
    if (known.has(name) || isWord(name)) groups.set(name, groups.size + 1);
  }
  return {
    gold: gold.map((name) => groups.get(name) ?? 0),
    predicted: predicted.map((name) => groups.get(name) ?? 0),
  };
}

const namesOfSchemas = new WeakMap<DatabaseSchema, ReadonlySet<string>>();

function columnNamesOf(schema: DatabaseSchema): ReadonlySet<string> {
  let names = namesOfSchemas.get(schema);
  if (names === undefined) {
    names = new Set(schema.tables.flatMap((table) => table.columns.map(({ name }) => foldName(name))));
    namesOfSchemas.set(schema, names);
  }
  return names;
}

function occursOnce(name: string, names: readonly string[]): boolean {
  const first = names.indexOf(name);
  return first !== -1 && names.indexOf(name, first + 1) === -1;
}

function isWord(name: string): boolean {
  const tokens = tokenize(name);
  return tokens.length === 1 && tokens[0]?.kind === "word";
}
