import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineStage } from "../../core/stage.ts";
import { fakePlugs, rowsOf } from "../fakes/run-stage.ts";

const Word = z.strictObject({ word: z.string() });

describe("defineStage", () => {
  it("fills what is left out with nothing", async () => {
    const stage = defineStage({
      name: "none",
      version: 1,
      inputs: {},
      outputs: { words: Word },
      options: z.strictObject({}),
      async *run() {},
    });
    expect(stage.balances).toEqual([]);
    expect(stage.plugs({}, {} as never)).toEqual([]);
    expect(await stage.sources({}, {}, fakePlugs([]), {})).toEqual([]);
    expect(stage.runtime.parse({})).toEqual({});
    expect(stage.runtime.safeParse({ root: "/data" }).success).toBe(false);
  });

  it("keeps what is given", async () => {
    const inputs = { words: rowsOf([{ word: "a" }]) };
    const stage = defineStage({
      name: "read",
      version: 2,
      inputs: { words: Word },
      outputs: { words: Word },
      options: z.strictObject({ loader: z.string() }),
      runtime: z.strictObject({ root: z.string() }),
      balances: [{ input: "words", outputs: ["words"] }],
      plugs: ({ loader }) => [{ kind: "loader", id: loader }],
      sources: (_, { root }) => Promise.resolve([{ name: "a", path: `${root}/a` }]),
      async *run() {},
    });
    expect(stage.balances).toEqual([{ input: "words", outputs: ["words"] }]);
    expect(stage.plugs({ loader: "spider" }, {} as never)).toEqual([{ kind: "loader", id: "spider" }]);
    expect(await stage.sources({ loader: "spider" }, { root: "/data" }, fakePlugs([]), inputs)).toEqual([
      { name: "a", path: "/data/a" },
    ]);
  });
});
