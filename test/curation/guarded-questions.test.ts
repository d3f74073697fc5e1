import { expect, it } from "vitest";
import { GuardOptions } from "../../curation/guard-options.ts";
import { GuardedQuestions } from "../../curation/guarded-questions.ts";
import { QuestionWeights } from "../../curation/question-index.ts";
import { example } from "./sample-rows.ts";

it("tells the first leak: database before question before history", () => {
  const question = "Which ferry carries most cars in August?";
  const guarded = new GuardedQuestions(
    [example("1", { databaseId: "harbour", question })],
    new Map([["harbour", "abc"]]),
    { options: GuardOptions.parse({ near: null }), weights: new QuestionWeights() },
  );
  const all = { question, history: [{ question, gold: null }] };
  expect(guarded.leakOf(example("a", { ...all, databaseId: "harbour" }), "abc")?.reason).toBe(
    "guard_database",
  );
  expect(guarded.leakOf(example("a", all), "abc")?.reason).toBe("guard_database");
  expect(guarded.leakOf(example("a", all), "")?.reason).toBe("guard_question");
  expect(guarded.leakOf(example("a", { history: all.history }), "def")?.reason).toBe("guard_dialogue");
  expect(guarded.leakOf(example("a"), "")).toBeNull();
});
