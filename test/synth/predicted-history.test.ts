import { describe, expect, it } from "vitest";
import type { Example } from "../../core/example.ts";
import type { ShownTurn } from "../../core/tool.ts";
import { PredictedHistory } from "../../synth/predicted-history.ts";
import { example } from "./synth-rows.ts";

const FIRST = { rollout: 0, sampleIndex: 0 };

/** Turn `turn` of a dialogue of three. */
function turnOf(turn: number, dialogue = "d"): Example {
  const history = ["a?", "b?", "c?"].slice(0, turn).map((question) => ({ question, gold: "gold" }));
  return example(`${dialogue}:${turn}`, {
    question: ["a?", "b?", "c?"][turn] ?? "",
    history,
    dialogue: { id: dialogue, turn, turns: 3 },
  });
}

/** Takes a sample that answers `sql` after a while and gives what it saw. */
function take(histories: PredictedHistory, of: Example, sql: string | null, place = FIRST) {
  return histories.take(of, place, async (history: readonly ShownTurn[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { value: history, sql };
  });
}

describe("PredictedHistory", () => {
  it("shows each turn what the same sample answered to the turns before", async () => {
    const histories = new PredictedHistory();
    const taken = [
      take(histories, turnOf(0), "A0"),
      take(histories, turnOf(0), "A1", { rollout: 0, sampleIndex: 1 }),
      take(histories, turnOf(1), null),
      take(histories, turnOf(1), "B1", { rollout: 0, sampleIndex: 1 }),
      take(histories, turnOf(2), "C0"),
      take(histories, turnOf(2), "C1", { rollout: 0, sampleIndex: 1 }),
    ];
    expect((await Promise.all(taken)).map((shown) => shown.map(({ sql }) => sql))).toEqual([
      [],
      [],
      ["A0"],
      ["A1"],
      ["A0", null],
      ["A1", "B1"],
    ]);
  });

  it("shows a turn that was not sampled without SQL, and keeps dialogues and rollouts apart", async () => {
    const histories = new PredictedHistory();
    const taken = [
      take(histories, turnOf(0), "A"),
      take(histories, turnOf(0, "e"), "other"),
      take(histories, turnOf(0), "second", { rollout: 1, sampleIndex: 0 }),
      take(histories, turnOf(2), "C"),
    ];
    expect((await Promise.all(taken))[3]).toEqual([
      { question: "a?", sql: "A" },
      { question: "b?", sql: null },
    ]);
  });

  it("fails later turns with an earlier one", async () => {
    const histories = new PredictedHistory();
    const first = histories.take(turnOf(0), FIRST, () => Promise.reject(new Error("down")));
    await expect(Promise.allSettled([first, take(histories, turnOf(1), "B")])).resolves.toMatchObject([
      { status: "rejected", reason: { message: "down" } },
      { status: "rejected", reason: { message: "down" } },
    ]);
  });

  it("shows a single question nothing", async () => {
    expect(await take(new PredictedHistory(), example("1"), "A")).toEqual([]);
  });
});
