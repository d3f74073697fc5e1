import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../../core/database.ts";
import { SeededRandom } from "../../../core/random.ts";
import {
  changeLiteral,
  namedTables,
  wrongColumn,
  wrongTable,
} from "../../../synth/simulated/name-mutations.ts";
import { TokenText } from "../../../synth/simulated/token-text.ts";
import { FERRIES, table } from "../synth-rows.ts";

type Mutation = (text: TokenText, random: SeededRandom, schema: DatabaseSchema) => string | undefined;

function outcomes(mutation: Mutation, sql: string, schema = FERRIES.schema): (string | undefined)[] {
  const found = new Set<string | undefined>();
  for (let draw = 0; draw < 60; draw += 1) {
    found.add(mutation(new TokenText(sql), new SeededRandom(draw, "test"), schema));
  }
  return [...found].sort((left, right) => ((left ?? "") < (right ?? "") ? -1 : 1));
}

describe("mutations of names", () => {
  it("name another column of the same table", () => {
    expect(outcomes(wrongColumn, "SELECT T1.Name FROM boat AS T1")).toEqual([
      "SELECT T1.boat_id FROM boat AS T1",
      "SELECT T1.built FROM boat AS T1",
      "SELECT T1.seats FROM boat AS T1",
    ]);
    expect(outcomes(wrongColumn, "SELECT count(*) FROM boat")).toEqual([undefined]);
  });

  it("quote a name that needs it", () => {
    const schema = { ...FERRIES.schema, tables: [table("t", "a"), { ...table("u"), name: 'odd "u"' }] };
    expect(outcomes(wrongTable, "SELECT a FROM t", schema)).toEqual(['SELECT a FROM "odd ""u"""']);
  });

  it("read from another table", () => {
    expect(outcomes(wrongTable, 'SELECT island FROM "crossing"')).toEqual(["SELECT island FROM boat"]);
    expect(outcomes(wrongTable, "SELECT 1")).toEqual([undefined]);
  });

  it("compare with another value", () => {
    expect(outcomes(changeLiteral, "SELECT name FROM boat WHERE name = 'Tern' LIMIT 3")).toEqual([
      "SELECT name FROM boat WHERE name = 'Ter' LIMIT 3",
      "SELECT name FROM boat WHERE name = 'tern' LIMIT 3",
    ]);
    expect(outcomes(changeLiteral, "SELECT name FROM boat WHERE seats > 20")).toEqual([
      "SELECT name FROM boat WHERE seats > 19",
      "SELECT name FROM boat WHERE seats > 21",
      "SELECT name FROM boat WHERE seats > 30",
    ]);
  });
});

describe("namedTables", () => {
  it("gives the tables that are read, in the schema's order", () => {
    const text = new TokenText("SELECT 1 FROM Crossing JOIN `boat` ON 1 = 1");
    expect(namedTables(text, FERRIES.schema).map(({ name }) => name)).toEqual(["boat", "crossing"]);
  });
});
