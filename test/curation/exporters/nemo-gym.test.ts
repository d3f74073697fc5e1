import { expect, it } from "vitest";
import nemoGym from "../../../curation/exporters/nemo-gym.ts";
import { exportRow, openForm, SQL_TOOL } from "../../interop/fixture-rows.ts";

it("writes the first request, what the verifier needs, and the agent", async () => {
  const form = await openForm(nemoGym, { agent: "mine" });
  expect(form.rows(exportRow("1", { tools: [SQL_TOOL] }))).toEqual([
    {
      responses_create_params: {
        input: [
          { role: "system", content: "Answer with SQL." },
          { role: "user", content: "How many ferries are there?" },
        ],
        tools: [{ type: "function", ...SQL_TOOL, strict: false }],
        parallel_tool_calls: false,
      },
      id: "a1000000000000000000000000000000",
      question: "How many ferries are there?",
      gt_sql: "SELECT count(*) FROM ferry",
      gold: ["SELECT count(*) FROM ferry"],
      sql_context: "",
      difficulty: "",
      db_id: "island_ferries",
      database_sha256: "d".repeat(64),
      task: "sql",
      group_id: "a1000000000000000000000000000000:sql",
      simulated: false,
      agent_ref: { type: "responses_api_agents", name: "mine" },
    },
  ]);
});
