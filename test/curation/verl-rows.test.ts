import { expect, it } from "vitest";
import { verlColumns, verlRow } from "../../curation/verl-rows.ts";
import { exportRow } from "../interop/fixture-rows.ts";

it("gives every row every tool of the shard, in columns of one shape", () => {
  const form = { plug: "x", toolNames: ["a", "b"], agentName: "loop" };
  const columns = verlColumns(form);
  expect(columns.map(({ name }) => name)).toEqual([
    "data_source",
    "prompt",
    "ability",
    "reward_model",
    "extra_info",
    "agent_name",
  ]);
  const create = {
    struct: {
      create_kwargs: { struct: { db_id: "string", database_sha256: "string", example_id: "string" } },
    },
  };
  expect(columns[4]?.type).toMatchObject({ struct: { tools_kwargs: { struct: { a: create, b: create } } } });
  const info = verlRow(exportRow("1", { toolNames: ["b"] }), form)["extra_info"];
  expect(info).toMatchObject({
    tools_kwargs: { a: { create_kwargs: { db_id: "island_ferries" } } },
    tool_selection: ["b"],
  });
});
