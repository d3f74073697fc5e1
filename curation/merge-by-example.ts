import { GradusError } from "../core/errors.ts";
import type { Rows } from "../core/stage.ts";

/** A row that belongs to one example. */
export interface ExampleRow {
  readonly exampleId: string;
}

type Streams = Readonly<Record<string, Rows<ExampleRow>>>;
type RowOf<R> = R extends Rows<infer T> ? T : never;

/** One leading row, its place among the leading rows from 0, how many there are, and the rows of each stream that belong to it. */
export interface MergedExample<E, S extends Streams> {
  readonly leader: E;
  readonly position: number;
  readonly total: number;
  readonly rows: { readonly [P in keyof S]: readonly RowOf<S[P]>[] };
}

/**
 * Zips a stream of one row per example with streams of any number of rows per example, all in one example
 * order. Holds the rows of one example, and of all only the ids.
 * @throws STAGE_ORDER_BROKEN for two leading rows of one example, for a row whose example is not among the
 * leading ones, and for a row that comes after those of a later example.
 */
export async function* mergeByExample<E, S extends Streams>(
  leaders: Rows<E>,
  idOf: (leader: E) => string,
  streams: S,
): AsyncGenerator<MergedExample<E, S>> {
  const positions = await positionsOf(leaders, idOf);
  const cursors = Object.entries(streams).map(([port, rows]) => new Cursor(port, rows, positions));
  try {
    let position = 0;
    for await (const leader of leaders()) {
      const rows: Record<string, readonly ExampleRow[]> = {};
      for (const cursor of cursors) rows[cursor.port] = await cursor.take(position);
      yield {
        leader,
        position,
        total: positions.size,
        rows: rows as MergedExample<E, S>["rows"],
      };
      position += 1;
    }
    for (const cursor of cursors) await cursor.take(position);
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

async function positionsOf<E>(leaders: Rows<E>, idOf: (leader: E) => string): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for await (const leader of leaders()) {
    const id = idOf(leader);
    if (positions.has(id)) throw orderBroken(`example ${id} comes twice, expected once`, id);
    positions.set(id, positions.size);
  }
  return positions;
}

/** A stream of rows, read one ahead. */
class Cursor {
  readonly port: string;
  readonly #rows: AsyncIterator<ExampleRow>;
  readonly #positions: ReadonlyMap<string, number>;
  #head: { readonly row: ExampleRow; readonly position: number } | undefined;
  #started = false;

  constructor(port: string, rows: Rows<ExampleRow>, positions: ReadonlyMap<string, number>) {
    this.port = port;
    this.#rows = rows()[Symbol.asyncIterator]();
    this.#positions = positions;
  }

  /** The rows of the example at `position`; those of earlier ones must be taken already. */
  async take(position: number): Promise<readonly ExampleRow[]> {
    if (!this.#started) {
      this.#started = true;
      await this.#advance();
    }
    const taken: ExampleRow[] = [];
    while (this.#head !== undefined && this.#head.position <= position) {
      const { row } = this.#head;
      if (this.#head.position < position) {
        throw orderBroken(
          `a row of ${this.port} for example ${row.exampleId} comes after rows of a later example, expected all rows in the order of the examples`,
          row.exampleId,
        );
      }
      taken.push(row);
      await this.#advance();
    }
    return taken;
  }

  async #advance(): Promise<void> {
    const next = await this.#rows.next();
    if (next.done === true) {
      this.#head = undefined;
      return;
    }
    const position = this.#positions.get(next.value.exampleId);
    if (position === undefined) {
      throw orderBroken(
        `a row of ${this.port} is for example ${next.value.exampleId}, which is not among the ${this.#positions.size} examples`,
        next.value.exampleId,
      );
    }
    this.#head = { row: next.value, position };
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }
}

/** The error of a stream whose rows are not in the order of the examples. */
export function orderBroken(message: string, rowId: string): GradusError {
  return new GradusError("STAGE_ORDER_BROKEN", message, {
    site: { rowId },
    hint: "the steps that feed this one must come from one load: remove the run's artifacts and run again",
  });
}
