import { expect, it } from "vitest";
import preference from "../../../curation/exporters/preference.ts";
import { exportRow, message, openForm, trajectory } from "../../interop/fixture-rows.ts";

const pair = exportRow("1", {
  prompt: [message("user", "q")],
  trajectory: trajectory("1", [message("assistant", "right")]),
  rejected: trajectory("2", [message("assistant", "wrong")]),
});

it("writes a right reply beside a wrong one", async () => {
  const rows = (await openForm(preference)).rows(pair);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    prompt: [{ role: "user", content: "q" }],
    chosen: [{ role: "assistant", content: "right" }],
    rejected: [{ role: "assistant", content: "wrong" }],
    tools: "[]",
    id: "e1000000000000000000000000000000",
    rejected_id: "e2000000000000000000000000000000",
  });
});
