import { describe, expect, it } from "vitest";
import type { Json } from "../../core/key.ts";
import { argumentProblem } from "../../synth/argument-check.ts";

const TOOL = {
  name: "find",
  description: "Finds.",
  parameters: {
    type: "object",
    properties: {
      text: { type: "string" },
      limit: { type: "integer" },
      share: { type: ["number", "null"] },
      isExact: { type: "boolean" },
      tables: { type: "array", items: { type: "string" } },
      more: { type: "object" },
      kind: { enum: ["names", "values"] },
      free: {},
    },
    required: ["text"],
    additionalProperties: false,
  },
};

describe("argumentProblem", () => {
  it.each<[Record<string, Json>, string | null]>([
    [{ text: "a" }, null],
    [{ text: "", limit: 2, share: null, isExact: true, tables: [], more: {}, kind: "names" }, null],
    [{ text: "a", tables: ["b"], free: [{ any: 1 }], share: 0.5 }, null],
    [{}, "the argument text is missing"],
    [{ limit: 1 }, "the argument text is missing"],
    [{ text: 1 }, "the argument text is 1, expected a text"],
    [{ text: null }, "the argument text is null, expected a text"],
    [{ text: "a", limit: 1.5 }, "the argument limit is 1.5, expected a whole number"],
    [{ text: "a", limit: "3" }, 'the argument limit is "3", expected a whole number'],
    [{ text: "a", share: "x" }, 'the argument share is "x", expected a number or null'],
    [{ text: "a", isExact: 0 }, "the argument isExact is 0, expected true or false"],
    [{ text: "a", tables: "b" }, 'the argument tables is "b", expected a list'],
    [{ text: "a", tables: ["b", 2] }, "the argument tables has an item that is 2, expected a text"],
    [{ text: "a", more: [] }, "the argument more is [], expected an object"],
    [{ text: "a", kind: "x" }, 'the argument kind is "x", expected one of "names", "values"'],
    [
      { text: "a", query: "b" },
      'there is no argument "query", expected text, limit, share, isExact, tables, more, kind, free',
    ],
    [{ text: "a", toString: "b" }, expect.stringContaining('there is no argument "toString"')],
  ])("says of %j: %s", (given, problem) => {
    expect(argumentProblem(given, TOOL)).toEqual(problem);
  });

  it("lets other arguments pass where the schema does, and any where there is none", () => {
    const open = { ...TOOL, parameters: { ...TOOL.parameters, additionalProperties: true } };
    expect(argumentProblem({ text: "a", query: "b" }, open)).toBeNull();
    expect(argumentProblem({ anything: 1 }, { ...TOOL, parameters: {} })).toBeNull();
  });

  it("keeps wrong values on one short line", () => {
    const problem = argumentProblem({ text: "a", limit: `x\n${"y".repeat(500)}` }, TOOL) ?? "";
    expect(problem).not.toContain("\n");
    expect(problem.length).toBeLessThan(200);
  });
});
