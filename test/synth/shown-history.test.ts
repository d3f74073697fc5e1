import { expect, it } from "vitest";
import { historyPolicy, shownHistory } from "../../synth/shown-history.ts";
import { example, plugs } from "./synth-rows.ts";

it("shows earlier SQL only where the policy is gold", () => {
  const followUp = example("4:1", { history: [{ question: "How many?", gold: "SELECT 1" }] });
  expect(shownHistory(followUp, "gold")).toEqual([{ question: "How many?", sql: "SELECT 1" }]);
  expect(shownHistory(followUp, "questions")).toEqual([{ question: "How many?", sql: null }]);
  expect(shownHistory(followUp, "predicted")).toEqual([{ question: "How many?", sql: null }]);
});

it.each([
  ["mtsql-r1", {}, "gold"],
  ["mtsql-r1", { history: "predicted" }, "predicted"],
  ["sql-trail", {}, "questions"],
  ["sql-trail", { history: "gold" }, "gold"],
])("takes the policy of %s under %j", async (id, options, policy) => {
  expect(historyPolicy(await plugs.find("scaffold", id), options)).toBe(policy);
});
