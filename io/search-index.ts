import Sqlite, { type Database } from "better-sqlite3";
import type { NameMatch, SearchReply, SearchRequest, ValueMatch } from "../core/database-profiler.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import { nameWords } from "../sql/name-words.ts";
import { isNear, planSearch, searchExpression, type SearchPlan } from "./search-text.ts";

/** What to look for in an index that is already found. */
export type IndexRequest = Omit<SearchRequest, "database" | "options">;

/** A match in a name counts for as much as this many in a description. */
const NAME_WEIGHT = 4;

/** Best candidates that are looked at; the rest are too far off. */
const MAX_CANDIDATES = 10_000;

/** A table (`column` is `null`) or a column with the range of its values. */
interface Place {
  readonly id: number;
  readonly table: string;
  readonly column: string | null;
  readonly first: number;
  readonly last: number;
}

/** A row of a full-text table; `score` is SQLite's BM25, lower is better. */
interface Candidate {
  readonly id: number;
  readonly score: number;
}

/** Reads an index that `SearchIndexWriter` wrote. */
export class SearchIndex {
  readonly #connection: Database;
  readonly #places: readonly Place[];
  readonly #commonTerms: ReadonlyMap<string, number>;

  /** @throws SEARCH_INDEX_DAMAGED when the file is missing or no such index. */
  constructor(file: string) {
    let connection: Database | undefined;
    try {
      connection = new Sqlite(file, { readonly: true, fileMustExist: true });
      this.#places = connection
        .prepare(
          'SELECT id, table_name AS "table", column_name AS "column", first_value AS first, ' +
            "last_value AS last FROM place ORDER BY id",
        )
        .all() as Place[];
      const common = connection.prepare("SELECT table_name || ' ' || term, value_count FROM common_term");
      this.#commonTerms = new Map(common.raw().all() as [string, number][]);
      this.#connection = connection;
    } catch (thrown) {
      connection?.close();
      throw damaged(file, thrown);
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** @throws SEARCH_INDEX_DAMAGED; never for what the text says. */
  search(request: IndexRequest): SearchReply {
    try {
      return { names: this.#names(request), values: this.#values(request) };
    } catch (thrown) {
      throw damaged(this.#connection.name, thrown);
    }
  }

  #names({ text, matcher, table, column, maxNames }: IndexRequest): NameMatch[] {
    const plan = maxNames > 0 ? planSearch(nameWords(text).join(" "), matcher) : null;
    if (plan === null) return [];
    const rows = this.#connection
      .prepare(
        `SELECT rowid AS id, name, description, bm25(name_${plan.index}, ${NAME_WEIGHT}, 1) AS score ` +
          `FROM name_${plan.index} WHERE name_${plan.index} MATCH ? ORDER BY score, rowid`,
      )
      .iterate(searchExpression(plan, () => undefined)) as IterableIterator<
      Candidate & { name: string; description: string }
    >;
    const found: NameMatch[] = [];
    for (const { id, name, description, score } of rows) {
      const place = this.#places[id - 1];
      if (place === undefined || !isWanted(place, table, column)) continue;
      if (!matches(plan, name) && !matches(plan, description)) continue;
      found.push({ table: place.table, column: place.column, score: Math.abs(score) });
      if (found.length === maxNames) break;
    }
    return found;
  }

  #values(request: IndexRequest): ValueMatch[] {
    const { text, matcher, table, column, maxValues, maxValuesPerColumn } = request;
    const plan = maxValues > 0 && maxValuesPerColumn > 0 ? planSearch(text, matcher) : null;
    if (plan === null) return [];
    const textOf = this.#connection.prepare("SELECT text FROM value WHERE id = ?").pluck();
    const counts = new Map<number, number>();
    const found: ValueMatch[] = [];
    for (const { id, score } of this.#candidates(plan, this.#ranges(table, column))) {
      const place = this.#placeOf(id);
      const count = counts.get(place.id) ?? 0;
      if (count >= maxValuesPerColumn) continue;
      const value = textOf.get(id) as string;
      if (!matches(plan, value)) continue;
      counts.set(place.id, count + 1);
      found.push({ table: place.table, column: place.column ?? "", value, score: Math.abs(score) });
      if (found.length === maxValues) break;
    }
    return found;
  }

  /** The best candidates of all ranges, the best first, equal ones in the order of their ids. */
  #candidates(plan: SearchPlan, ranges: readonly (readonly [first: number, last: number])[]): Candidate[] {
    const name = `value_${plan.index}`;
    const statement = this.#connection.prepare(
      `SELECT rowid AS id, bm25(${name}) AS score FROM ${name} ` +
        `WHERE ${name} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY score, rowid LIMIT ${MAX_CANDIDATES}`,
    );
    const expression = searchExpression(plan, (term) => this.#commonTerms.get(`${name} ${term}`));
    const found = ranges.flatMap(([first, last]) => statement.all(expression, first, last) as Candidate[]);
    if (ranges.length > 1) found.sort((left, right) => left.score - right.score || left.id - right.id);
    return found.slice(0, MAX_CANDIDATES);
  }

  /** The values of the wanted places, neighbours together. */
  #ranges(table: string | undefined, column: string | undefined): [first: number, last: number][] {
    const ranges: [first: number, last: number][] = [];
    for (const place of this.#places) {
      if (place.last < place.first || !isWanted(place, table, column)) continue;
      const previous = ranges.at(-1);
      if (previous !== undefined && previous[1] + 1 === place.first) previous[1] = place.last;
      else ranges.push([place.first, place.last]);
    }
    return ranges;
  }

  /** The column that a value is of: the last one that begins at or before it. */
  #placeOf(value: number): Place {
    let low = 0;
    let high = this.#places.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#places[middle]?.first ?? 0) <= value) low = middle;
      else high = middle - 1;
    }
    while (low > 0 && (this.#places[low]?.last ?? 0) < value) low -= 1;
    return this.#places[low] as Place;
  }
}

function matches(plan: SearchPlan, text: string): boolean {
  return plan.wanted === null || isNear(plan.wanted, text);
}

function isWanted(place: Place, table: string | undefined, column: string | undefined): boolean {
  if (table !== undefined && !isSameName(place.table, table)) return false;
  return column === undefined || (place.column !== null && isSameName(place.column, column));
}

/** As SQLite compares names: without the case of ASCII letters. */
function isSameName(left: string, right: string): boolean {
  return asciiLower(left) === asciiLower(right);
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function damaged(file: string, thrown: unknown): GradusError {
  return new GradusError("SEARCH_INDEX_DAMAGED", `cannot search ${file}: ${messageOf(thrown)}`, {
    hint: "remove the folder that holds it: it is made again",
    cause: thrown,
  });
}
