import type { DatabaseSchema, TableSchema } from "../../core/database.ts";
import type { SeededRandom } from "../../core/random.ts";
import { nameOf } from "../../sql/lexer.ts";
import type { PlacedToken, TokenText } from "./token-text.ts";

const TABLE_LEADS: ReadonlySet<string> = new Set(["from", "join"]);

/** Names another column of a table that has the one named. */
export function wrongColumn(
  text: TokenText,
  random: SeededRandom,
  schema: DatabaseSchema,
): string | undefined {
  const tables = namedTables(text, schema);
  const columns = text.tokens.filter(
    (placed) => isName(placed) && !isTablePlace(text, placed) && text.at(placed.place + 1)?.word !== "(",
  );
  const options = columns.flatMap((placed) => {
    const owner = tables.find((table) => columnOf(table, placed) !== undefined);
    return owner === undefined || owner.columns.length < 2 ? [] : [{ placed, owner }];
  });
  const option = random.pick(options);
  if (option === undefined) return undefined;
  const name = nameOf(option.placed.token).toLowerCase();
  const other = random.pick(option.owner.columns.filter((column) => column.name.toLowerCase() !== name));
  const { place } = option.placed;
  return other && text.replace({ from: place, to: place + 1 }, quoted(other.name));
}

/** Reads from another table of the database. */
export function wrongTable(
  text: TokenText,
  random: SeededRandom,
  schema: DatabaseSchema,
): string | undefined {
  const placed = random.pick(
    text.tokens.filter((candidate) => isName(candidate) && isTablePlace(text, candidate)),
  );
  if (placed === undefined) return undefined;
  const name = nameOf(placed.token).toLowerCase();
  const other = random.pick(schema.tables.filter((table) => table.name.toLowerCase() !== name));
  return other && text.replace({ from: placed.place, to: placed.place + 1 }, quoted(other.name));
}

/** Compares with another value: a number beside it, or a text in another case or cut short. */
export function changeLiteral(text: TokenText, random: SeededRandom): string | undefined {
  const literals = text.tokens.filter(
    ({ token, place }) =>
      (token.kind === "string" && token.text.length > 3) ||
      (token.kind === "number" && text.at(place - 1)?.word !== "limit"),
  );
  const literal = random.pick(literals);
  if (literal === undefined) return undefined;
  const { token, place } = literal;
  const other = token.kind === "number" ? otherNumber(token.text, random) : otherText(nameOf(token), random);
  return text.replace({ from: place, to: place + 1 }, other);
}

/** The tables of the schema that the text reads from. */
export function namedTables(text: TokenText, schema: DatabaseSchema): TableSchema[] {
  const names = new Set(
    text.tokens
      .filter((placed) => isName(placed) && isTablePlace(text, placed))
      .map(({ token }) => nameOf(token).toLowerCase()),
  );
  return schema.tables.filter((table) => names.has(table.name.toLowerCase()));
}

function isName({ token }: PlacedToken): boolean {
  return token.kind === "word" || token.kind === "quoted-identifier";
}

function isTablePlace(text: TokenText, { place }: PlacedToken): boolean {
  return TABLE_LEADS.has(text.at(place - 1)?.word ?? "");
}

function columnOf(table: TableSchema, { token }: PlacedToken): string | undefined {
  const name = nameOf(token).toLowerCase();
  return table.columns.find((column) => column.name.toLowerCase() === name)?.name;
}

function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function otherNumber(text: string, random: SeededRandom): string {
  const value = Number(text);
  const step = random.pick([1, -1, 10]) ?? 1;
  return Number.isSafeInteger(value) && value + step >= 0 ? String(value + step) : "1";
}

function otherText(text: string, random: SeededRandom): string {
  const lower = text.toLowerCase();
  const changed = [text.slice(0, -1), lower === text ? text.toUpperCase() : lower];
  const other = random.pick(changed) ?? text;
  return `'${other.replaceAll("'", "''")}'`;
}
