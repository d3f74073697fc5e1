import { describe, expect, it } from "vitest";
import { dialogueFieldsOf, isObject, releaseRowOf } from "../../../pipelines/audit/release-fields.ts";

describe("releaseRowOf", () => {
  it("knows the columns of BIRD, of Spider and of tables by their names", () => {
    const bird = {
      question_id: 7,
      db_id: "shop",
      question: "q",
      evidence: "e",
      SQL: "SELECT 1",
      difficulty: "simple",
    };
    expect(releaseRowOf(bird, 3, "before")).toEqual({
      id: "7",
      position: 3,
      databaseId: "shop",
      question: "q",
      evidence: "e",
      gold: ["SELECT 1"],
    });
    expect(
      releaseRowOf({ db_id: "shop", query: "SELECT 2", question: "q", sql: { from: [] } }, 0, "before"),
    ).toEqual({
      id: null,
      position: 0,
      databaseId: "shop",
      question: "q",
      evidence: null,
      gold: ["SELECT 2"],
    });
    expect(releaseRowOf({ question: "q", gold: ["a", "b"] }, 0, "before")?.gold).toEqual(["a", "b"]);
    expect(releaseRowOf({ question: "q", SQL: " " }, 0, "before")?.gold).toEqual([]);
    expect(releaseRowOf({ name: "x" }, 0, "before")).toBeNull();
  });

  it("takes a filled correction in the place of the original, after and never before", () => {
    const sheet = {
      "Question ID": "7",
      "Original question": "old",
      "Original gold SQL": "SELECT 1",
      "Suggested fixed question": "new",
      "Suggested fixed gold_sql": "",
    };
    expect(releaseRowOf(sheet, 0, "before")).toMatchObject({ id: "7", question: "old", gold: ["SELECT 1"] });
    expect(releaseRowOf(sheet, 0, "after")).toMatchObject({ id: "7", question: "new", gold: ["SELECT 1"] });
  });
});

it("a dialogue is one row a turn", () => {
  const dialogue = {
    database_id: "shop",
    interaction: [{ utterance: "q0", query: "SELECT 1" }, { utterance: "q1" }],
  };
  expect(dialogueFieldsOf(dialogue, 4)).toEqual([
    { id: "4:0", db_id: "shop", question: "q0", query: "SELECT 1" },
    { id: "4:1", db_id: "shop", question: "q1", query: undefined },
  ]);
  expect(dialogueFieldsOf({ question: "q" }, 0)).toBeNull();
  expect([isObject({}), isObject([]), isObject(null)]).toEqual([true, false, false]);
});
