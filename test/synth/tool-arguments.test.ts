import { describe, expect, it } from "vitest";
import type { Json } from "../../core/key.ts";
import { argumentSchema, readArguments } from "../../synth/tool-arguments.ts";

const SHAPES = {
  query: { kind: "text", isRequired: true, description: "What to look for." },
  table: { kind: "text", isRequired: false, description: "Where." },
  columns: { kind: "texts", isRequired: false, description: "Which." },
} as const;

describe("argumentSchema", () => {
  it("is the JSON Schema of an object, in the order of the shapes", () => {
    expect(JSON.stringify(argumentSchema(SHAPES))).toBe(
      '{"type":"object","properties":{"query":{"type":"string","description":"What to look for."},' +
        '"table":{"type":"string","description":"Where."},' +
        '"columns":{"type":"array","items":{"type":"string"},"description":"Which."}},' +
        '"required":["query"],"additionalProperties":false}',
    );
  });
});

describe("readArguments", () => {
  it("gives every argument, those left out as null", () => {
    expect(readArguments({ query: " tern " }, SHAPES)).toEqual({
      ok: true,
      value: { query: " tern ", table: null, columns: null },
    });
    expect(readArguments({ columns: ["a", "b"], query: "x", table: "boat" }, SHAPES)).toEqual({
      ok: true,
      value: { query: "x", table: "boat", columns: ["a", "b"] },
    });
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{}, "the argument query is missing"],
    [{ query: null }, "the argument query is null, expected a text"],
    [{ query: " \n" }, "the argument query is empty, expected a text that says something"],
    [{ query: "x", table: "" }, "the argument table is empty, expected a text that says something"],
    [{ query: "x", table: null }, "the argument table is null, expected a text"],
    [{ query: "x", columns: "a" }, 'the argument columns is "a", expected a list'],
    [{ query: "x", columns: [] }, "the argument columns is empty, expected texts that say something"],
    [{ query: "x", columns: ["a", " "] }, "the argument columns is empty, expected texts that say something"],
    [{ query: "x", columns: ["a", 1] }, "the argument columns has an item that is 1, expected a text"],
    [{ query: "x", limit: 5 }, 'there is no argument "limit", expected query, table, columns'],
  ])("says what is wrong with %j", (callArguments, problem) => {
    expect(readArguments(callArguments, SHAPES)).toEqual({ ok: false, problem });
  });
});
