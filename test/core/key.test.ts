import { describe, expect, it } from "vitest";
import { canonicalJson, deepFreeze, identityOf, keyOf, RowDigest, sha256 } from "../../core/key.ts";

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}

describe("canonicalJson", () => {
  it("gives the example of RFC 8785, section 3.2.2", () => {
    const value = {
      numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts names by UTF-16 unit, as in RFC 8785, section 3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it("writes numbers as RFC 8785 does", () => {
    expect(canonicalJson([1.0, -0, 1e21, 1e20, -1e-7, 5e-324])).toBe(
      "[1,0,1e+21,100000000000000000000,-1e-7,5e-324]",
    );
  });

  it("keeps the order of arrays and leaves undefined members out", () => {
    expect(canonicalJson({ b: [2, 1, "z", "a"], a: undefined, c: {} })).toBe('{"b":[2,1,"z","a"],"c":{}}');
  });

  it("takes objects without a prototype and escapes a lone surrogate", () => {
    expect(canonicalJson(Object.assign(Object.create(null) as object, { a: "\ud800" }))).toBe(
      '{"a":"\\ud800"}',
    );
  });

  it.each([
    ["NaN", { a: [1, { b: Number.NaN }] }, "$.a[1].b", "NaN"],
    ["Infinity", [Number.NEGATIVE_INFINITY], "$[0]", "-Infinity"],
    ["a bigint", { a: 1n }, "$.a", "bigint"],
    ["undefined in an array", { a: [undefined] }, "$.a[0]", "undefined"],
    // eslint-disable-next-line no-sparse-arrays
    ["a hole in an array", { a: [1, , 2] }, "$.a[1]", "undefined"],
    ["undefined alone", undefined, "$", "undefined"],
    ["a function", { a: () => 1 }, "$.a", "function"],
    ["a date", { a: new Date(0) }, "$.a", "an instance of Date"],
    ["a map", { a: { b: new Map() } }, "$.a.b", "an instance of Map"],
    ["a set", [new Set()], "$[0]", "an instance of Set"],
    ["bytes", { a: new Uint8Array(2) }, "$.a", "an instance of Uint8Array"],
    ["an instance", { a: new Point(1) }, "$.a", "an instance of Point"],
    ["an heir of no class", { a: Object.create(Object.create(null)) as object }, "$.a", "no class"],
  ])("refuses %s with its path", (_, value, path, got) => {
    let thrown: unknown;
    try {
      canonicalJson(value);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "KEY_NOT_JSON" });
    expect((thrown as Error).message).toMatch(`cannot serialise ${path}: got`);
    expect((thrown as Error).message).toContain(got);
  });
});

describe("digests", () => {
  it("are SHA-256", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256(new TextEncoder().encode("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("of values do not depend on the order of members, and tell near values apart", () => {
    expect(keyOf({ a: 1, b: [] })).toBe(keyOf({ b: [], a: 1 }));
    expect(keyOf({ a: 1 })).toBe("015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862");
    expect(identityOf({ a: 1 })).toBe("015abd7f5cc57a2dd94b7590f04ad808");
    const values = [["a-b"], ["a", "b"], ["a,b"], "a-b", [["a"], "b"], { a: "b" }, ["1"], [1], [null], []];
    expect(new Set(values.map(keyOf)).size).toBe(values.length);
  });

  it("of rows cover the rows, their order and their ends", () => {
    const digest = new RowDigest();
    expect(digest.add({ a: 1 })).toBe('{"a":1}');
    expect(digest.add([2])).toBe("[2]");
    expect(digest.count).toBe(2);
    // printf '{"a":1}\n[2]\n' | sha256sum
    expect(digest.finish()).toBe("1dc7685242afcdc2aa6522253d593c8011c6e8f94c1e47f7d049cca5aaa72d58");
    const swapped = new RowDigest();
    swapped.add([2]);
    swapped.add({ a: 1 });
    expect(swapped.finish()).not.toBe("1dc7685242afcdc2aa6522253d593c8011c6e8f94c1e47f7d049cca5aaa72d58");
  });
});

describe("deepFreeze", () => {
  it("freezes objects and arrays all the way down and returns the value", () => {
    const value = { a: [{ b: 1 }], c: null };
    const frozen = deepFreeze(value);
    expect(frozen).toBe(value);
    expect(() => {
      (value.a[0] as { b: number }).b = 2;
    }).toThrow(TypeError);
    expect(() => value.a.push({ b: 3 })).toThrow(TypeError);
    expect(deepFreeze("text")).toBe("text");
  });
});
