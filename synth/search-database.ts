import type { NameMatch, SearchReply, SearchRequest, ValueMatch } from "../core/database-profiler.ts";
import type { ToolContext } from "../core/tool.ts";
import type { SearchScope } from "./schema-lookup.ts";

/** A search of an agent, narrowed or not. */
export interface ScopedSearch
  extends Pick<SearchRequest, "text" | "maxNames" | "maxValues" | "maxValuesPerColumn"> {
  /** `both` takes the matches of whole words and of trigrams in turn, the best of each first, none twice. */
  readonly matcher: SearchRequest["matcher"] | "both";
  readonly scope: SearchScope;
}

/** Searches the index of the context's database; `both` may give twice as many matches as were asked for. */
export async function searchDatabase(
  { database, profiler, profileOptions }: ToolContext,
  { scope, matcher, ...search }: ScopedSearch,
): Promise<SearchReply> {
  const found = (one: SearchRequest["matcher"]): Promise<SearchReply> =>
    profiler.search({
      ...search,
      matcher: one,
      database,
      options: profileOptions,
      ...(scope.table === null ? {} : { table: scope.table }),
      ...(scope.column === null ? {} : { column: scope.column }),
    });
  if (matcher !== "both") return found(matcher);
  const words = await found("words");
  const trigrams = await found("trigram");
  return {
    names: inTurn(words.names, trigrams.names),
    values: inTurn(words.values, trigrams.values),
  };
}

/** The matches of two lists in turn, each of them once. */
function inTurn<T extends NameMatch | ValueMatch>(first: readonly T[], second: readonly T[]): T[] {
  const matches = new Map<string, T>();
  for (let place = 0; place < Math.max(first.length, second.length); place += 1) {
    for (const match of [first[place], second[place]]) {
      if (match === undefined) continue;
      const { score: _, ...what } = match;
      const key = JSON.stringify(what);
      if (!matches.has(key)) matches.set(key, match);
    }
  }
  return [...matches.values()];
}
