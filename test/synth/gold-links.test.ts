import { expect, it } from "vitest";
import { goldLinks } from "../../synth/gold-links.ts";
import { example, FERRIES } from "./synth-rows.ts";

const linksOf = (...gold: readonly string[]) => goldLinks(example("1", { gold: [...gold] }), FERRIES);

it("gives what the first gold reads, in the schema's order and writing", () => {
  expect(
    linksOf(
      "SELECT b.NAME FROM crossing c JOIN boat b ON c.boat_id = b.boat_id WHERE c.island = 'Mull'",
      "SELECT built FROM boat",
    ),
  ).toEqual([
    { table: "boat", columns: ["boat_id", "name"] },
    { table: "crossing", columns: ["boat_id", "island"] },
  ]);
  expect(linksOf("SELECT count(*) FROM crossing")).toEqual([{ table: "crossing", columns: [] }]);
});

it("gives nothing without a gold that SQLite resolves", () => {
  expect(linksOf()).toBeNull();
  expect(linksOf("SELECT nothing FROM boat")).toBeNull();
});
