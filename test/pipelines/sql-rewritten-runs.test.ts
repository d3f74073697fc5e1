import { describe, expect, it } from "vitest";
import { endedTable } from "../../io/sql-engine.ts";
import { rewrittenPlace } from "../../pipelines/sql-protocol.ts";
import { isSmall, KeptResults, RewrittenRuns } from "../../pipelines/sql-rewritten-runs.ts";

function table(rows: number) {
  const ended = endedTable("ok", "");
  const execution = { ...ended.execution, rows, columns: 1 };
  return { ...ended, execution, rows: Array.from({ length: rows }, () => [1n]) };
}

describe("RewrittenRuns", () => {
  it("numbers statements as they are first asked for", () => {
    const runs = new RewrittenRuns();
    const gold = runs.runOf("SELECT 1", "gold", 0);
    expect(gold.statement).toBe(rewrittenPlace(0, "gold"));
    expect(runs.runOf("SELECT 2", "prediction", 0).statement).toBe(rewrittenPlace(1, "prediction"));
    expect(runs.runOf("SELECT 1", "gold", 1).statement).toBe(rewrittenPlace(2, "gold"));
    expect(runs.runOf("SELECT 1", "gold", 0)).toBe(gold);
    expect(runs.runOf("SELECT 1", "prediction", 0)).toBe(gold);
  });
});

describe("KeptResults", () => {
  it("keeps small results only", () => {
    const kept = new KeptResults();
    const small = table(2000);
    kept.offer("small", small);
    kept.offer("large", table(2001));
    expect(kept.get("small")).toBe(small);
    expect(kept.get("large")).toBeUndefined();
    expect([isSmall(small), isSmall(table(2001))]).toEqual([true, false]);
  });

  it("forgets all when it has kept enough", () => {
    const kept = new KeptResults();
    for (let index = 0; index < 100; index += 1) kept.offer(`${index}`, table(2000));
    expect(kept.get("0")).toBeUndefined();
    expect(kept.get("99")).toBeDefined();
  });
});
