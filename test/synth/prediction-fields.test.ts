import { describe, expect, it } from "vitest";
import { malformed, placeFields, splitBirdSuffix, textField } from "../../synth/prediction-fields.ts";

const AT = { file: "/data/pred.jsonl", line: 4, position: 3 };

describe("splitBirdSuffix", () => {
  it("takes the last suffix off and keeps the SQL as written", () => {
    expect(splitBirdSuffix("SELECT 1 \t----- bird -----\tclub ")).toEqual({
      sql: "SELECT 1 ",
      databaseId: "club",
    });
    expect(splitBirdSuffix("a\t----- bird -----\tb\t----- bird -----\tc")).toEqual({
      sql: "a\t----- bird -----\tb",
      databaseId: "c",
    });
    expect(splitBirdSuffix("SELECT 1")).toEqual({ sql: "SELECT 1", databaseId: null });
  });
});

describe("placeFields", () => {
  it("prefers a name over a place", () => {
    expect(placeFields({ index: 5, question_id: "q" }, AT)).toMatchObject({ key: "q", keyKind: "name" });
    expect(placeFields({ index: 5 }, AT)).toMatchObject({ key: "5", keyKind: "position", position: 3 });
    expect(placeFields({ sample_index: null }, AT)).toMatchObject({ key: null, sampleIndex: null });
  });
});

describe("textField", () => {
  it("takes the first string or number", () => {
    expect(textField({ a: null, b: 0, c: "x" }, ["a", "b", "c"])).toBe("0");
    expect(textField({ a: [] }, ["a", "b"])).toBeNull();
  });
});

describe("malformed", () => {
  it("names the file without its folder", () => {
    expect(malformed("/data/pred.txt", 2, "is odd").message).toBe("cannot read pred.txt: line 2 is odd");
  });
});
