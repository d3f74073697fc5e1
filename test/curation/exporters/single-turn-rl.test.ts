import { expect, it } from "vitest";
import singleTurnRl from "../../../curation/exporters/single-turn-rl.ts";
import { exportRow } from "../../interop/fixture-rows.ts";

it("writes verl's rows without tools, whatever agents had", () => {
  const row = singleTurnRl.row(exportRow("1", { toolNames: ["execute_sql"] }));
  expect(row["prompt"]).toEqual([
    { role: "system", content: "Answer with SQL." },
    { role: "user", content: "How many ferries are there?" },
  ]);
  expect(row["extra_info"]).toMatchObject({
    need_tools_kwargs: false,
    group_id: "a1000000000000000000000000000000:sql",
  });
  expect(row["extra_info"]).not.toHaveProperty("tools_kwargs");
});
