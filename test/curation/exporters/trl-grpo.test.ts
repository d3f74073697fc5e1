import { expect, it } from "vitest";
import trlGrpo from "../../../curation/exporters/trl-grpo.ts";
import { exportRow, SQL_TOOL } from "../../interop/fixture-rows.ts";

it("writes a prompt with flat columns that no tool is called like", () => {
  const scaffold = { id: "mtsql-r1", version: 1, options: { calls: "native" } };
  const row = trlGrpo.row(exportRow("1", { scaffold, tools: [SQL_TOOL] }));
  expect(row).toMatchObject({
    db_id: "island_ferries",
    gold_sql: ["SELECT count(*) FROM ferry"],
    scaffold: "mtsql-r1",
    scaffold_options: '{"calls":"native"}',
    tool_schemas: JSON.stringify([SQL_TOOL]),
    level: -1,
  });
  for (const name of Object.keys(row)) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
});
