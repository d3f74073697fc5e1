import { expect, it } from "vitest";
import verlSft from "../../../curation/exporters/verl-sft.ts";
import { exportRow, message, openForm, SQL_TOOL, trajectory } from "../../interop/fixture-rows.ts";

it("writes role and text alone, and refuses calls beside the text", async () => {
  const form = await openForm(verlSft, { thoughts: "dropped" });
  const replies = trajectory("1", [message("assistant", "<think>a</think>SELECT 1")]);
  expect(form.rows(exportRow("1", { trajectory: replies }))[0]?.["messages"]).toEqual([
    { role: "system", content: "Answer with SQL." },
    { role: "user", content: "How many ferries are there?" },
    { role: "assistant", content: "SELECT 1" },
  ]);
  const native = exportRow("1", { trajectory: replies, tools: [SQL_TOOL] });
  expect(() => form.rows(native)).toThrow(/its calls go beside its text, which verl cannot hold/);
});
