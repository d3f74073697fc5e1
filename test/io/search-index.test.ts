import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type IndexRequest, SearchIndex } from "../../io/search-index.ts";
import { SearchIndexWriter } from "../../io/search-index-writer.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PLACES: readonly (readonly [
  table: string,
  column: string | null,
  description: string,
  values: string[],
])[] = [
  ["shops", null, "places that sell bread", []],
  ["shops", "shopName", "", ["Bakery Nord", "Bäckerei", "Harbour Bakery"]],
  ["shops", "empty", "", []],
  ["shops", "city", "where it stands", ["Bergen", "Oslo", "Oslo East"]],
  ["staff", null, "", []],
  ["staff", "city", "", ["Bergen", '"; DROP TABLE value; --', "IL", "Illinois"]],
];

let file: string;

beforeAll(async () => {
  file = path.join(await temporaryFolder(), "search.sqlite");
  writeIndex(file);
});

function writeIndex(target: string): void {
  const writer = new SearchIndexWriter(target);
  for (const [table, column, description, values] of PLACES) {
    writer.beginPlace(table, column, description);
    for (const value of values) writer.addValue(value);
  }
  expect([...writer.finish()].every((share) => share >= 0 && share <= 1)).toBe(true);
  expect([writer.names, writer.values]).toEqual([6, 10]);
  writer.close();
}

function search(text: string, parts: Partial<IndexRequest> = {}): { names: string[]; values: string[] } {
  const index = new SearchIndex(file);
  try {
    const request = {
      text,
      matcher: "trigram",
      maxNames: 10,
      maxValues: 10,
      maxValuesPerColumn: 10,
    } as const;
    const reply = index.search({ ...request, ...parts });
    for (const { score } of [...reply.names, ...reply.values]) expect(score).toBeGreaterThan(0);
    return {
      names: reply.names.map(({ table, column }) => `${table}.${column}`),
      values: reply.values.map(({ table, column, value }) => `${table}.${column}=${value}`),
    };
  } finally {
    index.close();
  }
}

describe("search", () => {
  it("finds values by parts and without accents, the best first", () => {
    expect(search("bakery").values).toEqual(["shops.shopName=Bakery Nord", "shops.shopName=Harbour Bakery"]);
    expect(search("backerei").values[0]).toBe("shops.shopName=Bäckerei");
  });

  it("gives equal matches in the schema's order, then by text", () => {
    expect(search("Bergen").values).toEqual(["shops.city=Bergen", "staff.city=Bergen"]);
    expect(search("oslo", { matcher: "words" }).values).toEqual(["shops.city=Oslo", "shops.city=Oslo East"]);
  });

  it("finds names by their words and by their descriptions", () => {
    expect(search("shop_name").names[0]).toBe("shops.shopName");
    expect(search("bread", { matcher: "words" }).names).toEqual(["shops.null"]);
    expect(search("stands").names).toEqual(["shops.city"]);
  });

  it("looks only at the table or column that is asked for, without the case of its name", () => {
    expect(search("Bergen", { table: "STAFF" }).values).toEqual(["staff.city=Bergen"]);
    expect(search("Bergen", { column: "City" }).values).toEqual(["shops.city=Bergen", "staff.city=Bergen"]);
    expect(search("Bergen", { column: "shopName" }).values).toEqual([]);
    expect(search("city", { table: "staff" }).names).toEqual(["staff.city"]);
  });

  it("finds a text too short for trigrams as a word and as a beginning", () => {
    expect(search("il").values).toEqual(["staff.city=IL", "staff.city=Illinois"]);
  });

  it("gives no more than is asked for", () => {
    expect(search("oslo", { maxValues: 1 }).values).toEqual(["shops.city=Oslo"]);
    expect(search("bakery", { maxValuesPerColumn: 1 }).values).toEqual(["shops.shopName=Bakery Nord"]);
    expect(search("city", { maxNames: 0, maxValues: 0 })).toEqual({ names: [], values: [] });
  });

  it("takes nothing of a text or a value as syntax", () => {
    const hostile = '"; DROP TABLE value; --';
    expect(search(hostile).values).toEqual([`staff.city=${hostile}`]);
    for (const text of ['"', "a OR", "NEAR(", "col:x", "^a*", "\0", "\uD800", "'", "-", ""]) {
      for (const matcher of ["trigram", "words"] as const) search(text, { matcher });
    }
  });
});

it("the same places give the same bytes of search", () => {
  expect(search("bakery oslo bergen")).toEqual(search("bakery oslo bergen"));
});

it("a file that is missing, or no index, or cut is damaged", async () => {
  const folder = await temporaryFolder({ "no.sqlite": "text" });
  const cut = path.join(folder, "cut.sqlite");
  const { readFile } = await import("node:fs/promises");
  await writeFile(cut, (await readFile(file)).subarray(0, 8192));
  const damaged = expect.objectContaining({ code: "SEARCH_INDEX_DAMAGED" });
  for (const name of ["none.sqlite", "no.sqlite", "cut.sqlite"]) {
    expect(() => new SearchIndex(path.join(folder, name))).toThrow(damaged);
  }
});
