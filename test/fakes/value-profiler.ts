import type { ColumnValues } from "../../core/database.ts";
import type { DatabaseProfiler, SearchRequest, ValueMatch } from "../../core/database-profiler.ts";

/**
 * Searches a few values in memory: `words` finds those that share a word with the text, `trigram` those that
 * share three letters in a row; the shorter values first. Keeps the requests as they came.
 */
export class ValueProfiler implements DatabaseProfiler {
  readonly requests: SearchRequest[] = [];
  readonly #columns: readonly ColumnValues[];

  constructor(columns: readonly ColumnValues[]) {
    this.#columns = columns;
  }

  profile(): Promise<never> {
    return Promise.reject(new Error("this profiler only searches"));
  }

  search(request: SearchRequest): Promise<{ names: []; values: ValueMatch[] }> {
    this.requests.push(request);
    const asked = piecesOf(request.text, request.matcher);
    const values = this.#columns
      .flatMap(({ table, column, values: all }) => all.map((value) => ({ table, column, value })))
      .filter(({ value }) => piecesOf(value, request.matcher).some((piece) => asked.includes(piece)))
      .map((match) => ({ ...match, score: 1 / (1 + match.value.length) }))
      .sort((left, right) => right.score - left.score)
      .slice(0, request.maxValues);
    return Promise.resolve({ names: [], values });
  }
}

function piecesOf(text: string, matcher: SearchRequest["matcher"]): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (matcher === "words") return words;
  return words.flatMap((word) =>
    Array.from({ length: Math.max(0, word.length - 2) }, (_, start) => word.slice(start, start + 3)),
  );
}
