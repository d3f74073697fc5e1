import { describe, expect, it } from "vitest";
import type { SpiderCondition } from "../../sql/spider-query.ts";
import { conditionsOf, connectorsOf } from "../../sql/spider-query.ts";

function conditionOn(column: string): SpiderCondition {
  return {
    isNegated: false,
    operator: "=",
    valueUnit: { operator: "none", left: { aggregate: "none", column, isDistinct: false }, right: null },
    value1: { kind: "number", value: 1 },
    value2: null,
  };
}

describe("conditionsOf and connectorsOf", () => {
  it("split a list by position", () => {
    const [first, second] = [conditionOn("t.a"), conditionOn("t.b")];
    expect(conditionsOf([first, "and", second, "or"])).toEqual([first, second]);
    expect(connectorsOf([first, "and", second, "or"])).toEqual(["and", "or"]);
  });

  it("lose a condition that stands where a connector belongs", () => {
    const [first, second] = [conditionOn("t.a"), conditionOn("t.b")];
    expect(conditionsOf([first, second])).toEqual([first]);
    expect(connectorsOf([first, second])).toEqual([]);
  });
});
