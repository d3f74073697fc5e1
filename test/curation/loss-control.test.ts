import { expect, it } from "vitest";
import { failedReplies, lossControlStage, maskRepaired } from "../../curation/loss-control.ts";
import { runStage } from "../fakes/run-stage.ts";
import { message, trajectory } from "./sample-rows.ts";
import { querying, repaired, returned, taughtRow } from "./taught-rows.ts";

it("a query that failed and was repaired is context where that is asked for", async () => {
  const rows = [taughtRow("a", 0, { trajectory: repaired("a") })];
  const masked = (await runStage(lossControlStage, { rows }, { repaired: "mask" })).rows[0]?.trajectory
    ?.messages;
  expect(masked?.map(({ train }) => train)).toEqual([false, false, true, false, true]);
  expect(masked?.[0]).toMatchObject({ weight: 0, trainReason: "repaired_later" });
  expect((await runStage(lossControlStage, { rows }, {})).rows).toEqual(rows);
});

it("the last query, and one whose result is sound, stay", () => {
  const sound = [
    querying("SELECT a"),
    returned("Outcome: result\n1"),
    querying("SELECT b"),
    returned("Outcome: error"),
  ];
  expect(failedReplies([...sound, message("assistant", "SELECT b")])).toEqual(new Set());
  const whole = trajectory("a", 0, "SELECT b", { messages: sound });
  expect(maskRepaired(whole)).toBe(whole);
});
