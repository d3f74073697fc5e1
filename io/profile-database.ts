import type { ColumnSchema, Database } from "../core/database.ts";
import type {
  ColumnProfile,
  DatabaseProfile,
  LeftOut,
  StoredTypes,
  TableProfile,
} from "../core/database-profile.ts";
import type { ProfileOptions } from "../core/database-profiler.ts";
import type { Cell } from "../core/execution.ts";
import type { ShownCell } from "../core/sql-runner.ts";
import { inferForeignKeys } from "./infer-foreign-keys.ts";
import { mainTable, ProfileReader, readOr } from "./profile-reader.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import { shownCell } from "./shown-cells.ts";
import { quoteName } from "./sql-text.ts";

/** Of what profiles and indices hold and mean; they are cached under it. */
export const PROFILER_VERSION = 1;

/** Columns whose types are counted in one scan. */
const COLUMNS_AT_ONCE = 200;

const NO_TYPES: StoredTypes = { null: 0, integer: 0, real: 0, text: 0, blob: 0 };
const TYPES = Object.keys(NO_TYPES) as (keyof StoredTypes)[];

/** Hears of a profile while it is made. */
export interface ProfilingListener {
  /** Before each scan, sort or write: what may take long. */
  onStep(): void;
  /** Rows read so far, of about `total`; the next step waits for it. */
  onProgress(done: number, total: number): Promise<void>;
}

/** What is profiled, and where its search index goes. */
export interface ProfilingRequest {
  readonly database: Database;
  readonly options: ProfileOptions;
  /** The database, or a settled copy of it. */
  readonly file: string;
  /** Must not exist. */
  readonly indexFile: string;
}

/**
 * Profiles a readable database and writes its search index, in bounded memory: types are counted in one scan of a
 * table, and each column is grouped once into a temporary table on disk, of which all else is read. Values are
 * told apart by their bytes, whatever collation a column has. A column that SQLite cannot read has no cells here.
 * @throws DISK_FULL, and what SQLite says when the machine is at fault otherwise.
 */
export async function profileDatabase(
  request: ProfilingRequest,
  listener: ProfilingListener,
): Promise<DatabaseProfile> {
  const reader = new ProfileReader(request.file);
  try {
    const index = new SearchIndexWriter(request.indexFile);
    try {
      return await new Profiling(reader, index, request, listener).run();
    } finally {
      index.close();
    }
  } finally {
    reader.close();
  }
}

class Profiling {
  readonly #reader: ProfileReader;
  readonly #index: SearchIndexWriter;
  readonly #request: ProfilingRequest;
  readonly #listener: ProfilingListener;
  readonly #leftOut: LeftOut[] = [];
  #done = 0;
  #total = 0;

  constructor(
    reader: ProfileReader,
    index: SearchIndexWriter,
    request: ProfilingRequest,
    listener: ProfilingListener,
  ) {
    this.#reader = reader;
    this.#index = index;
    this.#request = request;
    this.#listener = listener;
  }

  async run(): Promise<DatabaseProfile> {
    const { database, options } = this.#request;
    const { tables: schemas } = database.schema;
    this.#total = schemas.reduce(
      (sum, table, place) => sum + this.#rows(place) * (1 + table.columns.length),
      0,
    );
    this.#reader.run("CREATE TEMP TABLE value_counts (value, count INTEGER)");
    const tables: TableProfile[] = [];
    for (let place = 0; place < schemas.length; place += 1) tables.push(await this.#table(place));
    const onStep = (): void => this.#listener.onStep();
    const { minContained } = options;
    const inferredForeignKeys = inferForeignKeys(this.#reader, database, tables, { minContained, onStep });
    await this.#finishIndex();
    return {
      databaseId: database.databaseId,
      databaseDigest: database.digest,
      tables,
      inferredForeignKeys,
      index: { names: this.#index.names, values: this.#index.values, leftOut: this.#leftOut },
    };
  }

  #rows(place: number): number {
    return this.#request.database.rowCounts[place] ?? 0;
  }

  async #table(place: number): Promise<TableProfile> {
    const table = this.#request.database.schema.tables[place] as Database["schema"]["tables"][number];
    this.#index.beginPlace(table.name, null, table.comment);
    const stored: StoredTypes[] = [];
    for (let first = 0; first < table.columns.length; first += COLUMNS_AT_ONCE) {
      stored.push(...this.#storedTypes(table.name, table.columns.slice(first, first + COLUMNS_AT_ONCE)));
    }
    await this.#progress(this.#rows(place));
    const columns: ColumnProfile[] = [];
    for (const [index, column] of table.columns.entries()) {
      columns.push(this.#column(table.name, column, stored[index] ?? NO_TYPES));
      await this.#progress(this.#rows(place));
    }
    return { name: table.name, rows: this.#rows(place), description: table.comment, columns };
  }

  async #progress(rows: number): Promise<void> {
    this.#done += rows;
    await this.#listener.onProgress(this.#done, this.#total);
  }

  /** The types of columns in one scan; one by one where one of them cannot be read. */
  #storedTypes(table: string, columns: readonly ColumnSchema[]): StoredTypes[] {
    this.#listener.onStep();
    const counts = columns.flatMap(({ name }) =>
      TYPES.map((type) => `count(*) FILTER (WHERE typeof(${quoteName(name)}) = '${type}')`),
    );
    return readOr(
      () => {
        const [row = []] = this.#reader.all(`SELECT ${counts.join(", ")} FROM ${mainTable(table)}`);
        return columns.map((_, column) => {
          const cells = TYPES.map((type, place) => [type, Number(row[column * TYPES.length + place])]);
          return Object.fromEntries(cells) as StoredTypes;
        });
      },
      () =>
        columns.length > 1 ? columns.flatMap((column) => this.#storedTypes(table, [column])) : [NO_TYPES],
    );
  }

  #column(table: string, column: ColumnSchema, stored: StoredTypes): ColumnProfile {
    const { name, comment: description } = column;
    this.#index.beginPlace(table, name, description);
    const isGrouped = readOr(
      () => this.#group(table, name),
      () => false,
    );
    const nothing = { distinct: 0, minimum: null, maximum: null, samples: [] };
    if (!isGrouped) return { name, stored: NO_TYPES, ...nothing, description };
    const [counts = []] = this.#reader.all(
      "SELECT count(value), count(*) FILTER (WHERE typeof(value) = 'text') FROM temp.value_counts",
    );
    const [distinct, texts] = [Number(counts[0]), Number(counts[1])];
    this.#indexValues(table, name, { distinct, texts });
    return { name, stored, distinct, ...this.#extremes(), samples: this.#samples(), description };
  }

  /** Fills the temporary table with the distinct values of a column and how often each is there. */
  #group(table: string, column: string): boolean {
    this.#listener.onStep();
    const name = quoteName(column);
    this.#reader.run("DELETE FROM temp.value_counts");
    this.#reader.run(
      `INSERT INTO temp.value_counts SELECT ${name}, count(*) FROM ${mainTable(table)} GROUP BY ${name} COLLATE BINARY`,
    );
    this.#listener.onStep();
    return true;
  }

  #extremes(): { minimum: ShownCell; maximum: ShownCell } {
    const [row = []] = this.#reader.all(
      `SELECT ${this.#shownSql("low")}, ${this.#shownSql("high")} ` +
        "FROM (SELECT min(value) AS low, max(value) AS high FROM temp.value_counts)",
    );
    return { minimum: this.#shown(row[0], row[1]), maximum: this.#shown(row[2], row[3]) };
  }

  #shownSql(expression: string): string {
    const { maxValueCharacters } = this.#request.options;
    const text = this.#reader.textSql(expression, maxValueCharacters + 1);
    const blob = `substr(${expression}, 1, ${maxValueCharacters + 1})`;
    const type = `typeof(${expression})`;
    return `${type}, CASE ${type} WHEN 'text' THEN ${text} WHEN 'blob' THEN ${blob} ELSE ${expression} END`;
  }

  #shown(type: Cell | undefined, cell: Cell | undefined): ShownCell {
    const { maxValueCharacters } = this.#request.options;
    if (type === "text") {
      return shownCell(this.#reader.repairedText(cell, maxValueCharacters + 1), maxValueCharacters);
    }
    const isEmptyBlob = type === "blob" && (cell ?? null) === null;
    return shownCell(isEmptyBlob ? new Uint8Array() : (cell ?? null), maxValueCharacters);
  }

  /** The most frequent values that are no blobs. */
  #samples(): string[] {
    const { samplesPerColumn, maxValueCharacters } = this.#request.options;
    if (samplesPerColumn === 0) return [];
    this.#listener.onStep();
    const rows = this.#reader.all(
      `SELECT ${this.#reader.textSql("CAST(value AS TEXT)", maxValueCharacters + 1)} FROM (` +
        "SELECT value FROM temp.value_counts WHERE value IS NOT NULL AND typeof(value) <> 'blob' " +
        `ORDER BY count DESC, CAST(value AS TEXT), typeof(value) LIMIT ${samplesPerColumn})`,
    );
    return rows.map(([cell]) => {
      const shown = shownCell(this.#reader.repairedText(cell, maxValueCharacters + 1), maxValueCharacters);
      return typeof shown === "string" ? shown : "";
    });
  }

  /** Puts the texts of a column into the index as far as the options allow. */
  #indexValues(table: string, column: string, counts: { distinct: number; texts: number }): void {
    const { maxValuesPerColumn, maxValueCharacters, maxValues } = this.#request.options;
    const leaveOut = (reason: LeftOut["reason"], values: number): void => {
      if (values > 0) this.#leftOut.push({ table, column, reason, values });
    };
    const { distinct, texts } = counts;
    if (texts > maxValuesPerColumn) {
      leaveOut("too_many_values", texts);
      return leaveOut("not_text", distinct - texts);
    }
    this.#listener.onStep();
    let [indexed, full, broken] = [0, 0, 0];
    const rows = this.#reader.each(
      `SELECT ${this.#reader.textSql("value", maxValueCharacters)} FROM temp.value_counts ` +
        `WHERE typeof(value) = 'text' AND ${this.#reader.mayFitSql("value", maxValueCharacters)} ORDER BY value`,
    );
    for (const [cell] of rows) {
      const text = this.#reader.text(cell, maxValueCharacters);
      if (text === null) broken += 1;
      else if (Array.from(text).length <= maxValueCharacters) {
        if (this.#index.values >= maxValues) full += 1;
        else {
          this.#index.addValue(text);
          indexed += 1;
        }
      }
    }
    leaveOut("long_values", texts - indexed - full - broken);
    leaveOut("index_full", full);
    leaveOut("not_text", distinct - texts + broken);
  }

  /** Counts each indexed value as two rows: it is written into two full-text tables. */
  async #finishIndex(): Promise<void> {
    const rows = this.#done;
    const writes = 2 * this.#index.values;
    this.#total = rows + writes;
    for (const share of this.#index.finish()) {
      this.#listener.onStep();
      this.#done = rows + Math.floor(share * writes);
      await this.#listener.onProgress(this.#done, this.#total);
    }
    await this.#progress(this.#total - this.#done);
  }
}
