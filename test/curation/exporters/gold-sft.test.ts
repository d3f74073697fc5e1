import { expect, it } from "vitest";
import goldSft from "../../../curation/exporters/gold-sft.ts";
import { exportRow } from "../../interop/fixture-rows.ts";

it("answers the prompt with the first gold in a fence that its backticks do not close", () => {
  const { example } = exportRow("1");
  const row = goldSft.row(exportRow("1", { example: { ...example, gold: ["SELECT ```", "SELECT 2"] } }));
  expect(row["messages"]).toEqual([
    { role: "system", content: "Answer with SQL." },
    { role: "user", content: "How many ferries are there?" },
    { role: "assistant", content: "````sql\nSELECT ```\n````" },
  ]);
  expect(() => goldSft.row(exportRow("1", { example: { ...example, gold: [] } }))).toThrow(/has no gold/);
});
