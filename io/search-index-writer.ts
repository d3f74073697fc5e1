import Sqlite, { type Database, type Statement } from "better-sqlite3";
import { nameWords } from "../sql/name-words.ts";

/** Of SQLite's pages, and of what FTS5 gathers before it writes; of each of its tables. */
const CACHE_KIB = 32_768;
const GATHERED_BYTES = 16 * 2 ** 20;

/** Values that go into a full-text table in one statement. */
const CHUNK = 50_000;

/** A term is common when more values have it than this, and than this share of all. */
const COMMON_VALUES = 5_000;
const COMMON_SHARE = 0.01;

const WORDS = `tokenize = "unicode61 remove_diacritics 2"`;
const TRIGRAMS = `tokenize = "trigram remove_diacritics 1"`;

/**
 * `place`: tables (`column_name` NULL) and columns in the schema's order, a column with the range of its values.
 * `value`: distinct texts, those of a column together and in order. Names and values are in two full-text tables
 * each, by words and by trigrams; those of values hold no text. `common_term`: terms of these that very many
 * values have.
 */
const SCHEMA = `
  CREATE TABLE place (
    id INTEGER PRIMARY KEY,
    table_name TEXT NOT NULL,
    column_name TEXT,
    first_value INTEGER NOT NULL,
    last_value INTEGER NOT NULL
  );
  CREATE TABLE value (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE common_term (table_name TEXT NOT NULL, term TEXT NOT NULL, value_count INTEGER NOT NULL);
  CREATE VIRTUAL TABLE name_words USING fts5(name, description, ${WORDS});
  CREATE VIRTUAL TABLE name_trigrams USING fts5(name, description, ${TRIGRAMS});
  CREATE VIRTUAL TABLE value_words USING fts5(text, content = '', ${WORDS});
  CREATE VIRTUAL TABLE value_trigrams USING fts5(text, content = '', ${TRIGRAMS});
`;

const VALUE_TABLES = ["value_words", "value_trigrams"] as const;

/** Writes the search index of a database into a new SQLite file, in bounded memory. */
export class SearchIndexWriter {
  readonly #connection: Database;
  readonly #addPlace: Statement;
  readonly #endPlace: Statement;
  readonly #addValue: Statement;
  readonly #addName: readonly Statement[];
  #places = 0;
  #values = 0;
  #firstValue = 1;

  /** Makes the file, which must not exist. */
  constructor(file: string) {
    this.#connection = new Sqlite(file);
    this.#connection.pragma("journal_mode = OFF");
    this.#connection.pragma("synchronous = OFF");
    this.#connection.pragma("locking_mode = EXCLUSIVE");
    this.#connection.pragma(`cache_size = -${CACHE_KIB}`);
    this.#connection.exec(SCHEMA);
    for (const table of VALUE_TABLES) {
      // FTS5 takes an integer only: a bound number is a float.
      this.#connection.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('hashsize', ${GATHERED_BYTES})`);
    }
    this.#addPlace = this.#connection.prepare("INSERT INTO place VALUES (?, ?, ?, ?, 0)");
    this.#endPlace = this.#connection.prepare("UPDATE place SET last_value = ? WHERE id = ?");
    this.#addValue = this.#connection.prepare("INSERT INTO value VALUES (?, ?)");
    this.#addName = ["name_words", "name_trigrams"].map((table) =>
      this.#connection.prepare(`INSERT INTO ${table}(rowid, name, description) VALUES (?, ?, ?)`),
    );
    this.#connection.exec("BEGIN");
  }

  /** Tables and columns so far. */
  get names(): number {
    return this.#places;
  }

  /** Values so far. */
  get values(): number {
    return this.#values;
  }

  /** Begins a table, or a column of it; the values that follow are its. */
  beginPlace(table: string, column: string | null, description: string): void {
    this.#finishPlace();
    this.#places += 1;
    this.#firstValue = this.#values + 1;
    this.#addPlace.run(this.#places, table, column, this.#firstValue);
    const words = nameWords(column ?? table).join(" ");
    for (const statement of this.#addName) statement.run(this.#places, words, description);
  }

  addValue(text: string): void {
    this.#values += 1;
    this.#addValue.run(this.#values, text);
  }

  /** Builds the full-text tables of values; yields before each step with the share of the work that is done. */
  *finish(): Generator<number, void, void> {
    this.#finishPlace();
    this.#connection.exec("COMMIT");
    const steps = Math.ceil(this.#values / CHUNK) * VALUE_TABLES.length;
    let done = 0;
    for (const table of VALUE_TABLES) {
      const fill = this.#connection.prepare(
        `INSERT INTO ${table}(rowid, text) SELECT id, text FROM value WHERE id BETWEEN ? AND ? ORDER BY id`,
      );
      for (let first = 1; first <= this.#values; first += CHUNK) {
        yield done / steps;
        fill.run(first, first + CHUNK - 1);
        done += 1;
      }
      yield done / Math.max(1, steps);
      this.#connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
      yield done / Math.max(1, steps);
      this.#keepCommonTerms(table);
    }
  }

  #keepCommonTerms(table: string): void {
    const least = Math.max(COMMON_VALUES, Math.floor(COMMON_SHARE * this.#values));
    if (this.#values <= least) return;
    this.#connection.exec(
      `CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', '${table}', 'row');
       INSERT INTO common_term SELECT '${table}', term, doc FROM temp.vocabulary WHERE doc > ${least};
       DROP TABLE temp.vocabulary`,
    );
  }

  close(): void {
    this.#connection.close();
  }

  #finishPlace(): void {
    if (this.#places > 0) this.#endPlace.run(this.#values, this.#places);
  }
}
