import path from "node:path";
import { expect, it } from "vitest";
import Sqlite from "better-sqlite3";
import { SearchIndex } from "../../io/search-index.ts";
import { SearchIndexWriter } from "../../io/search-index-writer.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function written(values: Iterable<string>): Promise<string> {
  const file = path.join(await temporaryFolder(), "search.sqlite");
  const writer = new SearchIndexWriter(file);
  writer.beginPlace("t", null, "");
  writer.beginPlace("t", "c", "");
  for (const value of values) writer.addValue(value);
  const shares = [...writer.finish()];
  writer.close();
  expect(shares.toSorted((left, right) => left - right)).toEqual(shares);
  expect(shares.at(-1)).toBe(writer.values === 0 ? 0 : 1);
  return file;
}

it("an index without values can be searched", async () => {
  const index = new SearchIndex(await written([]));
  const request = {
    text: "t c",
    matcher: "words",
    maxNames: 5,
    maxValues: 5,
    maxValuesPerColumn: 5,
  } as const;
  const reply = index.search(request);
  expect(reply.names.map(({ column }) => column)).toEqual([null, "c"]);
  expect(reply.values).toEqual([]);
  index.close();
});

it("keeps how many values have a term that very many have", async () => {
  function* values(): Generator<string> {
    for (let number = 1; number <= 6000; number += 1) yield `row ${number} of`;
    for (let number = 1; number <= 4000; number += 1) yield `other ${number}`;
  }
  const file = await written(values());
  const connection = new Sqlite(file, { readonly: true });
  const words = connection
    .prepare("SELECT term, value_count FROM common_term WHERE table_name = 'value_words' ORDER BY term")
    .raw()
    .all();
  expect(words).toEqual([
    ["of", 6000],
    ["row", 6000],
  ]);
  connection.close();
});
