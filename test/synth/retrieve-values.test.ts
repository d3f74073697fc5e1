import { describe, expect, it } from "vitest";
import type { ColumnValues, Database } from "../../core/database.ts";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { retrieveValues } from "../../synth/retrieve-values.ts";
import { ValueProfiler } from "../fakes/value-profiler.ts";
import { FERRIES } from "./synth-rows.ts";

const profileOptions = ProfileOptions.parse({});

function boats(...values: readonly string[]): ColumnValues {
  return { table: "boat", column: "name", values: [...values] };
}

function islands(...values: readonly string[]): ColumnValues {
  return { table: "crossing", column: "island", values: [...values] };
}

async function retrieved(
  question: string,
  columns: readonly ColumnValues[],
  parts: { readonly evidence?: string; readonly database?: Database } = {},
): Promise<ColumnValues[]> {
  const { evidence = null, database = FERRIES } = parts;
  const profiler = new ValueProfiler(columns);
  return retrieveValues({ question, evidence, database }, { profiler, profileOptions });
}

describe("retrieveValues", () => {
  it("gives the values that question and evidence mention, the longer first", async () => {
    const columns = [
      boats("Tern", "Arctic Tern", "Old Gull", "Tern of the North"),
      islands("Skua Rock", "skua rock north shore", "Rock"),
    ];
    expect(
      await retrieved("Which crossings of the arctic TERN go to the big island?", columns, {
        evidence: "big island refers to 'Skua  Rock'",
      }),
    ).toEqual([boats("Arctic Tern", "Tern"), islands("Skua Rock", "Rock")]);
  });

  it("puts those first of which a larger share is mentioned", async () => {
    const columns = [boats("Port of Ferries"), islands("Port of Ferrie")];
    expect(await retrieved("From port of ferrie", columns)).toEqual([
      islands("Port of Ferrie"),
      boats("Port of Ferries"),
    ]);
  });

  it.each([
    ["twenty characters less three", "grey gull of st m", []],
    ["twenty characters less two", "grey gull of st ma", ["grey gull of st mary"]],
  ])("keeps a value from a share of more than 85 %%: %s", async (_, question, values) => {
    const found = await retrieved(question, [boats("grey gull of st mary")]);
    expect(found).toEqual(values.length === 0 ? [] : [boats(...values)]);
  });

  it.each([
    ["Seats on gulls?", "Gull", true],
    ["Seats of the ferries?", "Ferry", false],
    ["Seats of glasses?", "Glass", false],
    ["Seats of the glasse?", "Glass", false],
    ["Seats of the party?", "art", false],
    ["Seats of the pars?", "par", false],
    ["Ferries of type F?", "F", true],
    ["Ferries of type Fa?", "F", false],
    ["What is in the port?", "The", false],
    ["What is in the port?", "in the", false],
    ["Ferries built in 1999", "1999", true],
    ["Ferries with 21999 seats", "1999", false],
    ["Is it O'Brien's boat?", "O'Brien", true],
    ["北京市 有多少船", "北京市", true],
    ["Où est l'Île d'Yeu ?", "île d\u2019Yeu", false],
    ["Où est l'I\u0302le d'Yeu ?", "île d'Yeu", true],
  ])("takes %j to mention %j: %s", async (question, value, isFound) => {
    expect(await retrieved(question, [boats(value)])).toEqual(isFound ? [boats(value)] : []);
  });

  it("gives at most six values of a column and twenty in all, equal ones by the schema and then by text", async () => {
    const numbers = Array.from({ length: 9 }, (_, index) => `${index + 1}0`);
    const columns = ["boat_id", "name", "seats", "built"].map((column) => ({
      table: "boat",
      column,
      values: numbers,
    }));
    const question = numbers.toReversed().join(", ");
    const found = await retrieved(question, columns.toReversed());
    const first = numbers.slice(0, 6);
    expect(found).toEqual([
      { table: "boat", column: "boat_id", values: first },
      { table: "boat", column: "name", values: first },
      { table: "boat", column: "seats", values: first },
      { table: "boat", column: "built", values: first.slice(0, 2) },
    ]);
  });

  it("asks each run of words that mean something once, and plurals in the singular too", async () => {
    const profiler = new ValueProfiler([]);
    const search = { profiler, profileOptions };
    const request = { question: "the Gull of the gull, 7 seats", evidence: null, database: FERRIES };
    expect(await retrieveValues(request, search)).toEqual([]);
    expect(profiler.requests.map(({ text, matcher }) => `${matcher}: ${text}`)).toEqual([
      "words: gull gull 7 seats",
      "words: gull",
      "words: 7",
      "words: seats",
      "words: seat",
      "words: gull 7",
      "words: 7 seats",
      "words: gull 7 seats",
      "words: gull gull",
      "words: gull gull 7",
    ]);
    for (const { maxNames, maxValues, options, database } of profiler.requests) {
      expect({ maxNames, maxValues, options, database }).toEqual({
        maxNames: 0,
        maxValues: 10,
        options: profileOptions,
        database: FERRIES,
      });
    }
  });

  it("asks a bounded number of times, whatever the question", async () => {
    const profiler = new ValueProfiler([]);
    const question = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(" ");
    await retrieveValues({ question, evidence: null, database: FERRIES }, { profiler, profileOptions });
    expect(profiler.requests.length).toBe(400);
    expect(Math.max(...profiler.requests.map(({ text }) => text.length))).toBeLessThanOrEqual(4000);
  });

  it("asks nothing of a database that cannot be read, or for a question without words", async () => {
    const database: Database = { ...FERRIES, status: "corrupt" };
    expect(await retrieved("Tern?", [boats("Tern")], { database })).toEqual([]);
    expect(await retrieved("of the ?!", [boats("of the")])).toEqual([]);
    expect(await retrieved("", [boats("")])).toEqual([]);
  });
});
