import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../../core/database.ts";
import spiderHardness from "../../../curation/metrics/spider-hardness.ts";

const column = (name: string) => ({ name, type: "TEXT", comment: "", primaryKey: 0 });
const schema: DatabaseSchema = {
  databaseId: "ferries",
  tables: [
    { name: "Ferry", comment: "", columns: ["id", "name", "built"].map(column) },
    { name: "Crossing", comment: "", columns: ["ferry_id", "day", "cars"].map(column) },
  ],
  foreignKeys: [],
};

describe("spider-hardness", () => {
  it.each([
    ["SELECT name FROM ferry", "easy"],
    ["SELECT name, built FROM ferry WHERE id = 1", "medium"],
    ["SELECT name FROM ferry WHERE id NOT IN (SELECT ferry_id FROM crossing)", "hard"],
    ["SELECT name, built FROM ferry WHERE id IN (SELECT ferry_id FROM crossing)", "extra"],
  ])("calls %s %s", (sql, label) => {
    expect(spiderHardness.label(sql, schema)).toEqual({ status: "scored", label });
  });

  it.each(["SELECT name FROM harbour", "SELECT CASE WHEN id = 1 THEN 2 END FROM ferry", ""])(
    "has no label for %s",
    (sql) => {
      const verdict = spiderHardness.label(sql, schema);
      expect(verdict).toMatchObject({ status: "unscored", reason: "spider_parse_refused" });
      expect(verdict.status === "unscored" && verdict.message).not.toBe("");
    },
  );
});
