import { describe, expect, it } from "vitest";
import { addSource, endOn, endScope, openScope, startClause } from "../../sql/open-scope.ts";
import type { OpenFrame } from "../../sql/open-scope.ts";

function frame(): OpenFrame {
  return {
    outer: null,
    role: "statement",
    ctes: [],
    scopes: [],
    setOperations: [],
    scope: null,
    around: null,
    kind: "query",
    withPhase: "none",
    cte: null,
    onClose: null,
  };
}

describe("openScope", () => {
  it("adds a scope without clauses to its frame and to the text", () => {
    const around = frame();
    const first = openScope(around, []);
    const second = openScope(around, [first]);
    expect(around.scopes).toEqual([first, second]);
    expect([first.index, second.index, second.sources.length, second.clauses.size]).toEqual([0, 1, 0, 0]);
  });
});

describe("startClause and endScope", () => {
  it("end the clause before, and keep the first of a name", () => {
    const around = frame();
    const scope = openScope(around, []);
    around.scope = scope;
    startClause(scope, "from", 2, 1);
    startClause(scope, "group", 5, 2);
    startClause(scope, "from", 9, 1);
    endScope(around, 12);
    expect([...scope.clauses]).toEqual([
      ["from", { start: 3, end: 5 }],
      ["group", { start: 7, end: 9 }],
    ]);
    expect(around.scope).toBeNull();
  });
});

describe("addSource and endOn", () => {
  it("tell how a source is joined and on what", () => {
    const scope = openScope(frame(), []);
    addSource(scope, { kind: "name", name: "a", start: 1, end: 2 });
    scope.joins = true;
    scope.joinWords = ["left", "outer"];
    const joined = addSource(scope, { kind: "name", name: "b", start: 5, end: 6 });
    scope.onStart = 7;
    endOn(scope, 10);
    endOn(scope, 11);
    expect(scope.sources.map(({ join }) => join)).toEqual(["", "left join"]);
    expect(joined.on).toEqual([{ start: 7, end: 10 }]);
  });
});
