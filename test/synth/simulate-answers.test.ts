import { describe, expect, it } from "vitest";
import { simulateAnswersStage } from "../../synth/simulate-answers.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, FERRIES } from "./synth-rows.ts";

const GOLD = "SELECT name FROM boat WHERE seats > 20";
const EXAMPLES = Array.from({ length: 60 }, (_, index) =>
  example(String(index), { gold: [GOLD, "SELECT 2"] }),
);
const MODEL = { name: "student", revision: "2" };

async function simulate(competence: number, seed = 1, examples = EXAMPLES) {
  return runStage(
    simulateAnswersStage,
    { examples, databases: [FERRIES] },
    { model: MODEL, samples: 4, competence },
    { seed },
  );
}

/** Whether an answer is the gold but for keywords' case and a semicolon. */
function isGold(sql: string | null): boolean {
  return sql?.toLowerCase().replace(/;$/, "") === GOLD.toLowerCase();
}

describe("simulateAnswersStage", () => {
  it("gives the samples of each example in order, marked as simulated from gold", async () => {
    const { trajectories, rejects } = await simulate(0.6);
    expect(rejects).toEqual([]);
    expect(trajectories).toHaveLength(240);
    expect(trajectories.map((row) => [row.exampleId, row.sampleIndex])).toEqual(
      EXAMPLES.flatMap(({ id }) => [0, 1, 2, 3].map((sample) => [id, sample])),
    );
    expect(new Set(trajectories.map((row) => row.id)).size).toBe(240);
    for (const row of trajectories) {
      expect(row).toMatchObject({ source: "simulated", model: MODEL, round: 0, seed: 1 });
      expect(row.scaffold).toEqual({
        id: "simulated",
        version: 1,
        options: { readsGold: true, thoughts: true },
      });
      expect(row.messages).toHaveLength(1);
      const text = row.messages[0]?.rawText ?? "";
      if (row.finalSql === null) expect(row.stopReason).toBe("no_answer");
      else expect(text.endsWith(`\`\`\`sql\n${row.finalSql}\n\`\`\``)).toBe(true);
      expect(text).toMatch(/^<think>\n/);
    }
  });

  it("answers some questions always, some never, and most in between", async () => {
    const { trajectories } = await simulate(0.5);
    const right = EXAMPLES.map(
      ({ id }) => trajectories.filter((row) => row.exampleId === id && isGold(row.finalSql)).length,
    );
    expect(new Set(right)).toEqual(new Set([0, 1, 2, 3, 4]));
  });

  it("is all right at competence 1 and all wrong at 0", async () => {
    expect((await simulate(1)).trajectories.every((row) => isGold(row.finalSql))).toBe(true);
    expect((await simulate(0)).trajectories.some((row) => isGold(row.finalSql))).toBe(false);
  });

  it("depends on seed, options and rows alone", async () => {
    const first = await simulate(0.6);
    expect(await simulate(0.6)).toEqual(first);
    expect(await simulate(0.6, 2)).not.toEqual(first);
    const alone = await simulate(0.6, 1, EXAMPLES.slice(7, 8));
    expect(alone.trajectories).toEqual(first.trajectories.slice(28, 32));
  });

  it("rejects an example without a gold or a database", async () => {
    const examples = [example("1", { gold: [] }), example("2", { databaseId: "lost" })];
    const { trajectories, rejects } = await simulate(0.6, 1, examples);
    expect(trajectories).toEqual([]);
    expect(rejects).toEqual([
      {
        rowId: example("1").id,
        code: "SIMULATE_GOLD_UNKNOWN",
        message: "example 1 cannot be answered: it has no gold to answer from",
      },
      {
        rowId: example("2").id,
        code: "SIMULATE_DATABASE_UNKNOWN",
        message: "example 2 cannot be answered: no row describes its database lost",
      },
    ]);
  });

  it("simulates golds that Spider's parser refuses", async () => {
    const odd = example("3", { gold: ["WITH x AS (SELECT 1) SELECT count(*) FILTER (WHERE 1) FROM x"] });
    expect((await simulate(0.6, 1, [odd])).trajectories).toHaveLength(4);
  });
});
