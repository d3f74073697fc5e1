import { expect, it } from "vitest";
import openrlhf from "../../../curation/exporters/openrlhf.ts";
import { exportRow, SQL_TOOL } from "../../interop/fixture-rows.ts";

it("writes messages and one label, and refuses tools beside them", () => {
  const row = openrlhf.row(exportRow("1"));
  expect(JSON.parse(row["label"] as string)).toEqual({
    example_id: "a1000000000000000000000000000000",
    db_id: "island_ferries",
    database_sha256: "d".repeat(64),
    gold: ["SELECT count(*) FROM ferry"],
    task: "sql",
    group_id: "a1000000000000000000000000000000:sql",
    split: "train",
    level: null,
  });
  expect(row["datasource"]).toBe("gradus/spider");
  expect(() => openrlhf.row(exportRow("1", { tools: [SQL_TOOL] }))).toThrow(/which OpenRLHF cannot show/);
});
