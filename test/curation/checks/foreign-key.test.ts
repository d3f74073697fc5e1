import { expect, it } from "vitest";
import foreignKey from "../../../curation/checks/foreign-key.ts";
import { findingsOf } from "../check-subject.ts";

const GOLD = "SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id";

async function kindsWith(column: string, referencedColumn: string): Promise<string[]> {
  const key = { table: "crossing", column, referencedTable: "boat", referencedColumn };
  const found = await findingsOf(foreignKey, {
    question: "Which boats crossed?",
    gold: GOLD,
    describedForeignKeys: [key],
  });
  return found.map(({ kind }) => kind);
}

it("looks at the keys between the tables that the gold reads", async () => {
  expect(await kindsWith("boat_id", "boat_id")).toEqual([]);
  expect(await kindsWith("boat", "boat_id")).toEqual(["unknown_column"]);
  expect(await kindsWith("start_port_id", "boat_id")).toEqual(["no_match"]);
  expect(await kindsWith("passengers", "seats")).toEqual(["no_match"]);
  expect(await kindsWith("crossing_id", "seats")).toEqual(["orphans"]);
});
