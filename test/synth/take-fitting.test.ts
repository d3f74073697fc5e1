import { describe, expect, it } from "vitest";
import { takeFitting } from "../../synth/take-fitting.ts";

function fitting(items: readonly string[], maxCharacters: number) {
  return takeFitting(items, maxCharacters, ({ length }) => length);
}

describe("takeFitting", () => {
  it.each<[readonly string[], number, readonly string[], number]>([
    [["ab", "cd"], 5, ["ab", "cd"], 0],
    [["ab", "cd"], 4, ["ab"], 2],
    [["ab", "cdefg", "h"], 5, ["ab"], 3],
    [["abc"], 2, [], 2],
    [[], 7, [], 7],
  ])("takes of %j in %i characters %j", (items, maxCharacters, taken, charactersLeft) => {
    expect(fitting(items, maxCharacters)).toEqual({ taken, charactersLeft });
  });

  it("asks for no item behind the first that does not fit", () => {
    function* items(): Iterable<string> {
      yield "a";
      yield "bcd";
      throw new Error("asked for more");
    }
    expect(takeFitting(items(), 2, ({ length }) => length).taken).toEqual(["a"]);
  });
});
