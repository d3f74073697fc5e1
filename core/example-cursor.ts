import { GradusError } from "./errors.ts";
import type { Rows } from "./stage.ts";

/**
 * Rows of any number per example, taken one example at a time in the order of another stream. Close it at the end,
 * or its file stays open.
 */
export class ExampleCursor<T> {
  readonly #port: string;
  readonly #rows: AsyncIterator<T>;
  readonly #idOf: (row: T) => string;
  #head: T | undefined;
  #hasStarted = false;

  constructor(port: string, rows: Rows<T>, idOf: (row: T) => string) {
    this.#port = port;
    this.#rows = rows()[Symbol.asyncIterator]();
    this.#idOf = idOf;
  }

  /** The rows of an example, none where others come next. */
  async take(exampleId: string): Promise<T[]> {
    if (!this.#hasStarted) await this.#advance();
    const taken: T[] = [];
    while (this.#head !== undefined && this.#idOf(this.#head) === exampleId) {
      taken.push(this.#head);
      await this.#advance();
    }
    return taken;
  }

  /** Ends the stream. @throws STAGE_ORDER_BROKEN when rows are left: they are not in the order of the other stream. */
  async expectEnd(): Promise<void> {
    if (!this.#hasStarted) await this.#advance();
    if (this.#head === undefined) return;
    const rowId = this.#idOf(this.#head);
    throw new GradusError(
      "STAGE_ORDER_BROKEN",
      `rows of ${this.#port} for example ${rowId} are out of order, expected the order of the examples`,
      {
        site: { rowId },
        hint: "the steps that feed this one must come from one load: remove the run's artifacts and run again",
      },
    );
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  async #advance(): Promise<void> {
    this.#hasStarted = true;
    const next = await this.#rows.next();
    this.#head = next.done === true ? undefined : next.value;
  }
}
