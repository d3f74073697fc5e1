import { expect, it } from "vitest";
import { searchDatabase } from "../../synth/search-database.ts";
import { FakeProfiler } from "../fakes/profiler.ts";
import { FakeSqlRunner } from "../fakes/sql-runner.ts";
import { toolContext } from "../fakes/tool-context.ts";
import { FERRIES } from "./synth-rows.ts";

const SEARCH = {
  text: "tern",
  matcher: "words",
  maxNames: 1,
  maxValues: 2,
  maxValuesPerColumn: 3,
} as const;

it("searches the context's database under the options of its profile", async () => {
  const reply = { names: [], values: [{ table: "boat", column: "name", value: "Tern", score: 2 }] };
  const profiler = new FakeProfiler({ tern: reply });
  const context = toolContext(FERRIES, new FakeSqlRunner(), { profiler });
  expect(await searchDatabase(context, { ...SEARCH, scope: { table: null, column: null } })).toEqual(reply);
  await searchDatabase(context, { ...SEARCH, scope: { table: "boat", column: "name" } });
  const asked = { ...SEARCH, database: FERRIES, options: context.profileOptions };
  expect(profiler.requests).toStrictEqual([asked, { ...asked, table: "boat", column: "name" }]);
});

it("takes whole words and trigrams in turn, none twice", async () => {
  const value = (text: string, score: number) => ({ table: "boat", column: "name", value: text, score });
  const name = (column: string | null) => ({ table: "boat", column, score: 1 });
  const profiler = new FakeProfiler({
    "words:tern": {
      names: [name("name")],
      values: [value("Tern", 9), value("Tern II", 8), value("Old Tern", 1)],
    },
    "trigram:tern": { names: [name(null), name("name")], values: [value("Eastern", 7), value("Tern", 6)] },
  });
  const context = toolContext(FERRIES, new FakeSqlRunner(), { profiler });
  const search = { ...SEARCH, matcher: "both", scope: { table: null, column: null } } as const;
  expect(await searchDatabase(context, search)).toEqual({
    names: [name("name"), name(null)],
    values: [value("Tern", 9), value("Eastern", 7), value("Tern II", 8), value("Old Tern", 1)],
  });
  expect(profiler.requests.map(({ matcher }) => matcher)).toEqual(["words", "trigram"]);
});
