import { describe, expect, it } from "vitest";
import { mergeByExample } from "../../curation/merge-by-example.ts";
import { rowsOf } from "../fakes/run-stage.ts";

interface Row {
  readonly exampleId: string;
  readonly value: number;
}

function row(exampleId: string, value: number): Row {
  return { exampleId, value };
}

async function merge(leaders: readonly string[], left: readonly Row[], right: readonly Row[] = []) {
  const merged = [];
  const streams = { left: rowsOf(left), right: rowsOf(right) };
  for await (const { leader, position, total, rows } of mergeByExample(
    rowsOf(leaders),
    (id) => id,
    streams,
  )) {
    merged.push([
      leader,
      position,
      total,
      rows.left.map((one) => one.value),
      rows.right.map((one) => one.value),
    ]);
  }
  return merged;
}

describe("mergeByExample", () => {
  it("gives each example its rows of every stream", async () => {
    const left = [row("a", 1), row("a", 2), row("c", 3)];
    const right = [row("b", 4), row("c", 5)];
    expect(await merge(["a", "b", "c", "d"], left, right)).toEqual([
      ["a", 0, 4, [1, 2], []],
      ["b", 1, 4, [], [4]],
      ["c", 2, 4, [3], [5]],
      ["d", 3, 4, [], []],
    ]);
  });

  it("works without examples and without rows", async () => {
    expect(await merge([], [])).toEqual([]);
    expect(await merge(["a"], [])).toEqual([["a", 0, 1, [], []]]);
  });

  it.each([
    ["rows of an earlier example after a later one", ["a", "b"], [row("b", 1), row("a", 2)]],
    ["an example's rows in two places", ["a", "b"], [row("a", 1), row("b", 2), row("a", 3)]],
    ["a row of an unknown example", ["a"], [row("x", 1)]],
    ["a row of an unknown example at the end", ["a"], [row("a", 1), row("x", 2)]],
    ["rows without any example", [], [row("a", 1)]],
    ["one example twice", ["a", "a"], []],
  ])("refuses %s", async (_name, leaders, rows) => {
    await expect(merge(leaders, rows)).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
  });

  it("closes its streams when it is left early", async () => {
    let closed = false;
    const stream = async function* () {
      try {
        for (const id of ["a", "b"]) yield await Promise.resolve(row(id, 1));
      } finally {
        closed = true;
      }
    };
    for await (const { leader } of mergeByExample(rowsOf(["a", "b"]), (id) => id, { stream })) {
      expect(leader).toBe("a");
      break;
    }
    expect(closed).toBe(true);
  });
});
