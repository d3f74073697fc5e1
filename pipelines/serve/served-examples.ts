import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import { RecentMap } from "../../core/recent-map.ts";
import { RowIndex } from "../../io/row-index.ts";

/** Examples that are kept in memory; the others are read from disk when they are asked for. */
const AT_HAND = 8_192;

/** How a client names an example: by its id, or by dataset, split and the dataset's own name of the row. */
export interface ExampleName {
  readonly example_id?: string | undefined;
  readonly source_id?: string | undefined;
  readonly dataset?: string | undefined;
  readonly split?: string | undefined;
}

/** The examples of a service, by id and by the names that their datasets give them. */
export class ServedExamples {
  readonly #index: RowIndex<Example>;
  readonly #ids: readonly string[];
  /** Ids by source id; several where datasets number their rows alike. */
  readonly #bySource: ReadonlyMap<string, readonly string[]>;
  readonly #recent = new RecentMap<string, Promise<Example | undefined>>(AT_HAND);

  private constructor(
    index: RowIndex<Example>,
    ids: readonly string[],
    bySource: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#index = index;
    this.#ids = ids;
    this.#bySource = bySource;
  }

  /** Reads rows to their end; the caller closes. @throws as {@link RowIndex.build}. */
  static async read(rows: AsyncIterable<Example>): Promise<ServedExamples> {
    const ids: string[] = [];
    const bySource = new Map<string, string[]>();
    const noted = async function* (): AsyncGenerator<Example> {
      for await (const example of rows) {
        ids.push(example.id);
        const named = bySource.get(example.sourceId);
        if (named === undefined) bySource.set(example.sourceId, [example.id]);
        else named.push(example.id);
        yield example;
      }
    };
    const index = await RowIndex.build(noted(), { keyOf: ({ id }) => id });
    return new ServedExamples(index, ids, bySource);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Ids in the order of the datasets. */
  ids(offset: number, limit: number): readonly string[] {
    return this.#ids.slice(offset, offset + limit);
  }

  /** @throws EXAMPLE_UNKNOWN for a name that no example or several have. */
  async find(name: ExampleName): Promise<Example> {
    if (name.example_id !== undefined) {
      const found = await this.#get(name.example_id);
      if (found !== undefined) return found;
      throw unknown(`no example has the id ${JSON.stringify(name.example_id.slice(0, 64))}`);
    }
    const { source_id: sourceId = "", dataset, split } = name;
    const examples = await Promise.all((this.#bySource.get(sourceId) ?? []).map((id) => this.#get(id)));
    const fitting = examples.filter(
      (example) =>
        example !== undefined &&
        (dataset === undefined || example.dataset.name === dataset) &&
        (split === undefined || example.dataset.split === split),
    );
    const [found] = fitting;
    if (found !== undefined && fitting.length === 1) return found;
    const shown = JSON.stringify(sourceId.slice(0, 64));
    throw unknown(
      fitting.length === 0
        ? `no example has the source id ${shown}`
        : `${fitting.length} examples have the source id ${shown}: name dataset and split too`,
    );
  }

  close(): Promise<void> {
    return this.#index.close();
  }

  #get(id: string): Promise<Example | undefined> {
    let found = this.#recent.get(id);
    if (found === undefined) {
      found = this.#index.get(id);
      if (this.#index.has(id)) this.#recent.set(id, found);
    }
    return found;
  }
}

function unknown(problem: string): GradusError {
  return new GradusError("EXAMPLE_UNKNOWN", problem, {
    hint: "the service knows the datasets of its config: GET /examples lists their ids",
  });
}
