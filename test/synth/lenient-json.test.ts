import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../synth/lenient-json.ts";

const END = /<end>/;

/** The value as JSON with `*` where it was repaired, or the problem. */
function reading(text: string, end: RegExp | null = null): string {
  const read = readJson(text, 0, end);
  if (!read.ok) return read.problem;
  return `${JSON.stringify(read.value)}${read.isRepaired ? " *" : ""}`;
}

describe("readJson", () => {
  it("reads what JSON.parse reads, as it does, and repairs none of it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 3 }), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const expected: unknown = JSON.parse(text);
        expect(readJson(text, 0)).toEqual({ ok: true, value: expected, end: text.length, isRepaired: false });
      }),
      { numRuns: 500 },
    );
  });

  it("never throws, whatever the text", () => {
    const signs = "{ } [ ] \" ' : , \\ n t u a b 1 - . e E \n \0 < <end> \uD800";
    const piece = fc.constantFrom(" ", ...signs.split(" "));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const read = readJson(text, 0, END);
        expect(read.ok ? read.end : read.at).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"a": {"b": [1, "x"]}} rest', '{"a":{"b":[1,"x"]}}'],
    [' \n\t{"a":"{}}{ ] \\" \\u00e9 \\n"}', '{"a":"{}}{ ] \\" é \\n"}'],
    ['{"a": "line\nline\ttab"}', '{"a":"line\\nline\\ttab"} *'],
    ["{'a': 'b \"c\"'}", '{"a":"b \\"c\\""} *'],
    [`{"a": "it\\'s"}`, `{"a":"it's"} *`],
    ['{"a": [1, 2,],}', '{"a":[1,2]} *'],
    ['{a: 1, _b$: "c"}', '{"a":1,"_b$":"c"} *'],
    ["[True, False, None]", "[true,false,null] *"],
    ["[true, false, null]", "[true,false,null]"],
    ["[-0.5e3, 0, 12]", "[-500,0,12]"],
    ['{"__proto__": {"a": 1}}', '{"__proto__":{"a":1}}'],
    ['"\u0085\u007f"', '"\u0085\u007f"'],
  ])("reads %j as %s", (text, expected) => {
    expect(reading(text)).toBe(expected);
  });

  it.each([
    ["", "it ends where a value is expected"],
    ['{"a"', "it ends where a colon after a key is expected"],
    ['{"a": 1', "it ends where a comma or } is expected"],
    ['{"a": "b', "a text in it does not end"],
    ['{"a": "b\\', "a text in it does not end"],
    ['{"a" 1}', 'expected a colon after a key, got "1}"'],
    ['{"a": 1 "b": 2}', 'expected a comma or }, got "\\"b\\": 2}"'],
    [
      '{"a": "SELECT "b" FROM t"}',
      'expected a comma or }, got "b\\" FROM t\\"}" (a double quote within a text is written \\")',
    ],
    ['{"a": 1, "a": 2}', 'it has "a" twice'],
    ['{"a": "\\d"}', '"\\\\d" is no escape: write a backslash as \\\\'],
    ['{"a": "\\u12"}', 'expected four hexadecimal digits after \\u, got "12\\"}"'],
    ["{1: 2}", 'expected a key in double quotes, got "1: 2}"'],
    ["{,}", 'expected a key in double quotes, got ",}"'],
    ["[,]", 'expected a value, got ",]"'],
    ["[1,,2]", 'expected a value, got ",2]"'],
    ["[01]", 'expected a value, got "01]"'],
    ["[1e999]", "a number in it is too large"],
    ["[undefined]", 'expected a value, got "undefined]"'],
    ["SELECT 1", 'expected a value, got "SELECT 1"'],
  ])("tells what is wrong with %j", (text, problem) => {
    expect(reading(text)).toBe(problem);
  });

  it("gives up on deep nesting", () => {
    expect(reading("[".repeat(100_000))).toBe("it has more than 64 levels");
    expect(reading(`${"[".repeat(65)}${"]".repeat(65)}`)).toBe(`${"[".repeat(65)}${"]".repeat(65)}`);
    expect(reading(`${"[".repeat(66)}${"]".repeat(66)}`)).toBe("it has more than 64 levels");
  });

  it("forgives missing ends where the whole has to end, and only there", () => {
    expect(reading('{"a": {"b": [1<end>', END)).toBe('{"a":{"b":[1]}} *');
    expect(reading('{"a": 1, <end>', END)).toBe('{"a":1} *');
    expect(reading('{"a": 1} <end>', END)).toBe('{"a":1}');
    expect(reading('{"a": <end>', END)).toBe('expected a value, got "<end>"');
    expect(reading('{"a": "b<end>', END)).toBe("a text in it does not end");
    expect(reading('{"a": "<end>"}', END)).toBe('{"a":"<end>"}');
    expect(reading('{"a": 1<end>')).toBe('expected a comma or }, got "<end>"');
  });

  it("says whether the text was over, and where it stopped", () => {
    expect(readJson('xx{"a": [1', 2)).toMatchObject({ ok: false, at: 10, isCut: true });
    expect(readJson('{"a": b}', 0)).toMatchObject({ ok: false, at: 6, isCut: false });
    expect(readJson('xx{"a": 1} yy', 2)).toMatchObject({ ok: true, end: 10 });
  });
});
