import { describe, expect, it } from "vitest";
import { type LabelVerdict, scored, unscored } from "../../core/verdict.ts";
import { isOddTurn, publishedDifficulty, tableLineOf } from "../../pipelines/score-table-line.ts";

const label = (name: string): LabelVerdict => ({ status: "scored", label: name });

describe("tableLineOf", () => {
  it("takes levels from the labels that are asked for", () => {
    const verdicts = {
      "bird-ex": scored(1),
      "spider-hardness": label("hard"),
      "bird-difficulty": label("simple"),
      words: label("many"),
    };
    expect(tableLineOf({ difficulty: "simple" }, verdicts, ["bird-ex"])).toEqual({
      hardness: "hard",
      difficulty: "simple",
      dialogue: null,
      holdsValue: false,
      verdicts: { "bird-ex": scored(1) },
    });
    const refused = { "spider-hardness": unscored("spider_parse_refused", "") };
    expect(tableLineOf({ difficulty: "easy" }, refused, []).hardness).toBeNull();
  });

  it("sees the word value in a prediction, as the official script does", () => {
    expect(tableLineOf({ pred: "SELECT valued FROM t" }, {}, []).holdsValue).toBe(true);
    expect(tableLineOf({ pred: "SELECT Value FROM t" }, {}, []).holdsValue).toBe(false);
    expect(tableLineOf({ pred: 7 }, {}, []).holdsValue).toBe(false);
  });

  it("takes them from the field otherwise", () => {
    expect(tableLineOf({ difficulty: "moderate" }, {}, [])).toMatchObject({
      hardness: null,
      difficulty: "moderate",
    });
    expect(tableLineOf({ difficulty: "extra" }, {}, [])).toMatchObject({ hardness: "extra" });
    expect(tableLineOf({ difficulty: 3 }, {}, [])).toMatchObject({ hardness: null, difficulty: null });
  });

  it.each([
    [{ turn: 0 }, { id: null, turn: 0 }],
    [
      { turn: 2, dialogue: "7" },
      { id: "7", turn: 2 },
    ],
    [
      { turn: 2, dialogue: 7 },
      { id: "7", turn: 2 },
    ],
    [{ turn: "2" }, null],
    [{ turn: -1 }, null],
    [{ turn: 1.5 }, null],
    [{ dialogue: "7" }, null],
  ])("finds the place of %j in its dialogue", (row, dialogue) => {
    expect(tableLineOf(row, {}, []).dialogue).toEqual(dialogue);
  });
});

it("reads a difficulty that is text", () => {
  expect(publishedDifficulty({ difficulty: "simple" })).toBe("simple");
  expect(publishedDifficulty({ difficulty: null })).toBeNull();
  expect(publishedDifficulty({})).toBeNull();
});

it.each([
  [{}, false],
  [{ turn: null }, false],
  [{ turn: 0 }, false],
  [{ turn: "0" }, true],
  [{ turn: -1 }, true],
  [{ turn: 0.5 }, true],
])("tells whether %j has an odd turn", (row, isOdd) => {
  expect(isOddTurn(row)).toBe(isOdd);
});
