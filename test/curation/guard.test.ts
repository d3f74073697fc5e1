import { describe, expect, it } from "vitest";
import type { Example } from "../../core/example.ts";
import { guardStage } from "../../curation/guard.ts";
import { runStage } from "../fakes/run-stage.ts";
import { database, example, kept } from "./sample-rows.ts";

const PORT = "Which of the ferries left the northern port before noon on Sundays?";

function guardedExample(name: string, question: string, databaseId: string): Example {
  return {
    ...example(name, { question, databaseId }),
    dataset: { name: "spider", release: "1", split: "dev" },
  };
}

const GUARDED = [
  guardedExample("7", PORT, "harbour"),
  guardedExample("8", "Show them.", "harbour"),
  guardedExample("9", "What about those that have been built in Norway since 1990?", "harbour"),
];

async function outcomes(
  examples: readonly Example[],
  options: object = {},
  databases = ["ferries", "harbour", "other"].map((id) => database(id)),
): Promise<Record<string, string>> {
  const inputs = {
    kept: examples.map(({ sourceId, databaseId }, index) => kept(sourceId, index, { databaseId })),
    examples,
    databases,
    guarded: GUARDED,
    guardedDatabases: [database("harbour", { digest: "digest of harbour" })],
  };
  const out = await runStage(guardStage, inputs, options as never);
  return Object.fromEntries([
    ...out.kept.map(({ sourceId }) => [sourceId, "kept"] as const),
    ...out.dropped.map(({ sourceId, reason, message }) => [sourceId, `${reason}: ${message}`] as const),
  ]);
}

describe("guardStage", () => {
  it("drops a guarded database, whatever is asked of it, also under another name", async () => {
    const examples = [
      example("a", { databaseId: "harbour" }),
      example("b", { databaseId: "copy" }),
      example("c"),
    ];
    const databases = [
      database("harbour"),
      database("copy", { digest: "digest of harbour" }),
      database("ferries"),
    ];
    expect(await outcomes(examples, {}, databases)).toEqual({
      a: "guard_database: its database harbour is that of spider/dev 9",
      b: "guard_database: its database copy is the guarded database harbour under another name",
      c: "kept",
    });
    expect(await outcomes(examples, { databases: false }, databases)).toEqual({
      a: "kept",
      b: "kept",
      c: "kept",
    });
  });

  it("drops a guarded question, its paraphrases, and one of which it is a published paraphrase", async () => {
    const told = `what spider/dev 7 asks: ${JSON.stringify(PORT)}`;
    const examples = [
      example("a", { question: "which of the FERRIES left the northern port before noon on sundays" }),
      example("b", { question: "Which of the boats left the northern port before noon on Sundays?" }),
      example("c", { question: "Name some vessels.", paraphraseOf: PORT }),
      example("d", { question: "Which captains earn more than the average of their company?" }),
    ];
    const found = await outcomes(examples, { near: { threshold: -0.2 } });
    expect(found).toMatchObject({
      a: `guard_question: it asks ${told}`,
      c: `guard_question: it asks ${told}`,
      d: "kept",
    });
    expect(found["b"]).toMatch(
      /^guard_near_question: its question is like \(-?0\.\d\d\) what spider\/dev 7 asks/,
    );
    expect((await outcomes(examples, { near: null }))["b"]).toBe("kept");
  });

  it("drops all turns of a dialogue of which one leaks, and shows which", async () => {
    const dialogue = (turn: number) => ({ id: "3", turn, turns: 3 });
    const examples = [
      example("3:0", { dialogue: dialogue(0), question: "How many ferries are there?" }),
      example("3:1", { dialogue: dialogue(1), question: PORT }),
      example("3:2", {
        dialogue: dialogue(2),
        question: "And which of them came back?",
        history: [{ question: PORT, gold: null }],
      }),
      example("4:0", { dialogue: { id: "4", turn: 0, turns: 1 }, question: "How many captains are there?" }),
    ];
    const found = await outcomes(examples, { near: null });
    expect(found["3:0"]).toBe("guard_dialogue: turn 3:2 of its dialogue gives a guarded question away");
    expect(found["3:1"]).toMatch(/^guard_question/);
    expect(found["3:2"]).toMatch(
      /^guard_dialogue: an earlier turn that it shows asks what spider\/dev 7 asks/,
    );
    expect(found["4:0"]).toBe("kept");
  });

  it("takes short questions for the same on the same database only", async () => {
    const examples = [
      example("a", { question: "Show them." }),
      example("b", { question: "Show them.", databaseId: "harbour" }),
    ];
    const found = await outcomes(examples, { databases: false, near: null });
    expect(found["a"]).toBe("kept");
    expect(found["b"]).toMatch(/^guard_question: it asks what spider\/dev 8 asks/);
  });

  it("refuses to guard nothing", async () => {
    const inputs = { kept: [kept("a", 0)], examples: [example("a")], databases: [database("ferries")] };
    const run = runStage(guardStage, { ...inputs, guarded: [], guardedDatabases: [] }, {});
    await expect(run).rejects.toMatchObject({ code: "GUARD_EMPTY" });
  });

  it("looks only at what is kept", async () => {
    const examples = [example("a", { question: PORT }), example("b")];
    const inputs = {
      kept: [kept("b", 1)],
      examples,
      databases: [database("ferries")],
      guarded: GUARDED,
      guardedDatabases: [],
    };
    const out = await runStage(guardStage, inputs, {});
    expect([out.kept.length, out.dropped.length]).toEqual([1, 0]);
  });
});
