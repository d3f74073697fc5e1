import { describe, expect, it } from "vitest";
import { combineStage } from "../../datasets/combine.ts";
import { database, example } from "../curation/sample-rows.ts";
import { runStage } from "../fakes/run-stage.ts";

const combine = combineStage(2);

describe("combineStage", () => {
  it("has a pair of ports for each dataset", () => {
    expect(Object.keys(combineStage(3).inputs)).toEqual([
      "examples0",
      "databases0",
      "examples1",
      "databases1",
      "examples2",
      "databases2",
    ]);
  });

  it("puts one dataset after another, and a database that both bring once", async () => {
    const shared = database("ferries");
    const { examples, databases } = await runStage(
      combine,
      {
        examples0: [example("b"), example("a")],
        databases0: [shared, database("seeds")],
        examples1: [example("c")],
        databases1: [database("studio"), { ...shared, message: "told again" }],
      },
      {},
    );
    expect(examples).toEqual([example("b"), example("a"), example("c")]);
    expect(databases).toEqual([shared, database("seeds"), database("studio")]);
  });

  it("refuses two files under one id, and says which", async () => {
    const inputs = {
      examples0: [],
      databases0: [database("ferries", { digest: "a".repeat(64) })],
      examples1: [],
      databases1: [database("ferries", { digest: "b".repeat(64) })],
    };
    await expect(runStage(combine, inputs, {})).rejects.toMatchObject({
      code: "DATABASE_ID_CONFLICT",
      message:
        'two datasets bring different databases called "ferries": got sha256 aaaaaaaaaaaa and bbbbbbbbbbbb, expected one file',
    });
  });

  it("refuses two test suites under one id", async () => {
    const inputs = {
      examples0: [],
      databases0: [database("ferries", { suiteDigest: "a".repeat(64) })],
      examples1: [],
      databases1: [database("ferries")],
    };
    await expect(runStage(combine, inputs, {})).rejects.toMatchObject({
      code: "DATABASE_ID_CONFLICT",
      message: expect.stringContaining('different test suites of "ferries"') as string,
    });
  });

  it("takes the file of the dataset that has one, in the first one's place", async () => {
    const missing = database("ferries", { status: "missing", digest: "", bytes: 0 });
    const there = database("ferries");
    const seeds = database("seeds");
    for (const [first, second] of [
      [missing, there],
      [there, missing],
    ] as const) {
      const inputs = { examples0: [], databases0: [first, seeds], examples1: [], databases1: [second] };
      expect((await runStage(combine, inputs, {})).databases).toEqual([there, seeds]);
    }
    const inputs = { examples0: [], databases0: [missing], examples1: [], databases1: [missing] };
    expect((await runStage(combine, inputs, {})).databases).toEqual([missing]);
  });
});
