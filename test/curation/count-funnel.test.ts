import { expect, it } from "vitest";
import { countFunnelStage } from "../../curation/count-funnel.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, idOf, split } from "./sample-rows.ts";

it("counts questions by where they went, and answers by why they were chosen or not", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const place = (name: string, rank: number, parts = {}) => ({
    ...split(name, rank),
    level: 0,
    rank,
    ...parts,
  });
  const answer = (reason: string) => ({ trajectoryId: idOf(reason), exampleId: idOf("a"), reason });
  const inputs = {
    examples: names.map((name) => example(name)),
    dropped: [{ exampleId: idOf("a"), sourceId: "a", databaseId: "ferries", reason: "trivial", message: "" }],
    leftOut: [
      { exampleId: idOf("f"), sourceId: "f", databaseId: "ferries", reason: "not_in_a_set", message: "" },
    ],
    ordered: [place("b", 0), place("c", 1), place("d", 0, { split: "validation" })],
    selected: [{ ...answer("short"), split: "train" as const }],
    passedOver: [answer("wrong"), answer("wrong"), answer("no_answer")],
  };
  const { funnel } = await runStage(countFunnelStage, inputs, {});
  expect(funnel.map(({ name, count, depth }) => `${"-".repeat(depth)}${name} ${count}`)).toEqual([
    "questions 6",
    "-trivial 1",
    "-duplicate_or_guarded 1",
    "-not_in_a_set 1",
    "-train 2",
    "-validation 1",
    "answers 4",
    "-no_answer 1",
    "-wrong 2",
    "-chosen 1",
  ]);
});
