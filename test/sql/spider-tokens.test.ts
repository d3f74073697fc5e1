import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { englishWords, spiderTokens } from "../../sql/spider-tokens.ts";

describe("englishWords", () => {
  it.each<readonly [string, readonly string[]]>([
    ["a b\tc\n d", ["a", "b", "c", "d"]],
    ["x=3", ["x=3"]],
    ["x>=3", ["x", ">", "=3"]],
    ["x <> 3", ["x", "<", ">", "3"]],
    ["(1,2)", ["(", "1,2", ")"]],
    ["a,b", ["a", ",", "b"]],
    ["a,1", ["a,1"]],
    ["a , 1", ["a", ",", "1"]],
    ["a,,b", ["a", ",", ",b"]],
    ["a,", ["a", ","]],
    ["a-b a/b a||b a+b", ["a-b", "a/b", "a||b", "a+b"]],
    ["a--b", ["a", "--", "b"]],
    ["`a` [b]", ["`", "a", "`", "[", "b", "]"]],
    ["```", ["``", "`"]],
    [
      "a;b@c#d$e%f&g?h!i*",
      ["a", ";", "b", "@", "c", "#", "d", "$", "e", "%", "f", "&", "g", "?", "h", "!", "i", "*"],
    ],
    ["a:b a:1", ["a", ":", "b", "a:1"]],
    ["t1.name t1.*", ["t1.name", "t1.", "*"]],
    ["a.", ["a", "."]],
    ["a.) ", ["a", ".", ")"]],
    ["a..", ["a", ".."]],
    ["a. b", ["a.", "b"]],
    ["-5 1.5 1e2", ["-5", "1.5", "1e2"]],
    ["cannot Gimme can_not cannots", ["can", "not", "Gim", "me", "can_not", "cannots"]],
    ["wanna be", ["wan", "na", "be"]],
    ["«a» “b”", ["«", "a", "»", "“", "b", "”"]],
    ["", []],
  ])("cuts %j", (text, words) => {
    expect(englishWords(text)).toEqual(words);
  });

  it("cuts long runs of one character without slowing down", () => {
    for (const character of ["`", ".", ",", "-", "(", " ", "a"]) {
      expect(englishWords(character.repeat(200_000)).join("").length).toBeLessThanOrEqual(200_000);
    }
  });
});

describe("spiderTokens", () => {
  it.each<readonly [string, readonly string[]]>([
    ["SELECT Name FROM T", ["select", "name", "from", "t"]],
    ["a = 'It Is' ;", ["a", "=", '"It Is"', ";"]],
    ['a = "x,y(z"', ["a", "=", '"x,y(z"']],
    ["a = ''", ["a", "=", '""']],
    ["in ('a','b')", ["in", "(", '"a"', ",", '"b"', ")"]],
    ["a >= 3 AND b ! = 4 AND c < = 5", ["a", ">=", "3", "and", "b", "!=", "4", "and", "c", "<=", "5"]],
    ["a != 3", ["a", "!=", "3"]],
    ["a == 3", ["a", "==", "3"]],
  ])("cuts %j", (sql, tokens) => {
    expect(spiderTokens(sql)).toEqual(tokens);
  });

  it("merges a literal with what touches it", () => {
    expect(spiderTokens("a = 'it''s'")).toEqual(["a", "=", "__val_4_7____val_8_10__"]);
    expect(spiderTokens("a='x'")).toEqual(["a=__val_2_4__"]);
  });

  it("refuses an odd number of quotes", () => {
    expect(spiderTokens('a = "O\'Brien"')).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (sql) => {
        const tokens = spiderTokens(sql);
        expect(tokens === undefined || tokens.every((token) => token !== "")).toBe(true);
      }),
    );
  });
});
