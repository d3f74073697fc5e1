import { describe, expect, it } from "vitest";
import {
  decodeWithoutErrors,
  isPythonBlank,
  isPythonSpaceAt,
  pythonBytesText,
  pythonFloatText,
  pythonStrip,
  pythonWords,
} from "../../sql/python-text.ts";

// Expected texts are what Python 3.11 gives.
describe("pythonFloatText", () => {
  it.each([
    [1, "1.0"],
    [100, "100.0"],
    [-0, "-0.0"],
    [0, "0.0"],
    [0.1, "0.1"],
    [0.1 + 0.2, "0.30000000000000004"],
    [-2.5, "-2.5"],
    [123456.789, "123456.789"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [-0.000012, "-1.2e-05"],
    [1e15, "1000000000000000.0"],
    [1e16, "1e+16"],
    [1.25e17, "1.25e+17"],
    [1e22, "1e+22"],
    [9007199254740992, "9007199254740992.0"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [Infinity, "inf"],
    [-Infinity, "-inf"],
    [Number.NaN, "nan"],
  ])("%d is %s", (value, text) => {
    expect(pythonFloatText(value)).toBe(text);
  });
});

describe("pythonBytesText", () => {
  it.each<[string, number[], string]>([
    ["nothing", [], "b''"],
    ["letters", [0x61, 0x62], "b'ab'"],
    ["control characters", [0, 9, 10, 13, 31, 127], "b'\\x00\\t\\n\\r\\x1f\\x7f'"],
    ["bytes beyond ASCII", [0x80, 0xff], "b'\\x80\\xff'"],
    ["a backslash", [0x5c], "b'\\\\'"],
    ["an apostrophe", [0x27], `b"'"`],
    ["a quote", [0x22], `b'"'`],
    ["both quotes", [0x27, 0x22], `b'\\'"'`],
  ])("shows %s", (_, bytes, text) => {
    expect(pythonBytesText(new Uint8Array(bytes))).toBe(text);
  });
});

describe("decodeWithoutErrors", () => {
  it.each<[string, number[], string]>([
    ["keeps valid text", [0x63, 0xc3, 0xa9, 0xf0, 0x9d, 0x84, 0x9e], "cé𝄞"],
    ["drops a byte of Latin-1", [0x63, 0x61, 0x66, 0xe9], "caf"],
    ["drops a sequence that is cut off", [0xe2, 0x82, 0x41], "A"],
    ["drops overlong forms and surrogates", [0xc0, 0x80, 0xe0, 0x80, 0x80, 0xed, 0xa0, 0x80, 0x42], "B"],
    ["drops what is beyond the last character", [0xf4, 0x90, 0x80, 0x80, 0xf5], ""],
    ["keeps a replacement character that is in the text", [0xef, 0xbf, 0xbd, 0xff], "\ufffd"],
    ["keeps a byte order mark", [0xef, 0xbb, 0xbf, 0x41], "\ufeffA"],
  ])("%s", (_, bytes, text) => {
    expect(decodeWithoutErrors(new Uint8Array(bytes))).toBe(text);
  });
});

describe("white space", () => {
  it("is what Python takes for it", () => {
    for (const space of [" ", "\n", "\v", "\x1c", "\x85", "\u00a0", "\u2028", "\u3000"]) {
      expect(isPythonBlank(space)).toBe(true);
      expect(isPythonSpaceAt(`a${space}`, 1)).toBe(true);
      expect(pythonWords(`${space}a${space}${space}b`)).toEqual(["a", "b"]);
      expect(pythonStrip(`${space}a b${space}`)).toBe("a b");
    }
    expect(isPythonBlank("")).toBe(true);
    expect(isPythonBlank("\ufeff")).toBe(false);
    expect(pythonWords(" ")).toEqual([]);
    expect(pythonStrip(" \n")).toBe("");
  });
});
