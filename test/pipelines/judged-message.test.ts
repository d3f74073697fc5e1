import { describe, expect, it } from "vitest";
import type { Execution } from "../../core/execution.ts";
import { scored, scoredWith, unscored, type Verdict } from "../../core/verdict.ts";
import { type JudgedGroup, judgedGroup, judgedMessage } from "../../pipelines/judged-message.ts";

const OK: Execution = { status: "ok", message: "", rows: 2, columns: 1, digest: "a", orderedDigest: "b" };

function group(answers: readonly (readonly [Partial<Execution>, Verdict])[]): JudgedGroup {
  return {
    id: 7,
    gold: [OK],
    answers: answers.map(([execution, verdict]) => ({
      execution: { ...OK, ...execution },
      verdicts: { exact: verdict },
    })),
  };
}

function sentAndRead(judged: JudgedGroup): JudgedGroup {
  return judgedGroup(JSON.parse(JSON.stringify(judgedMessage(judged))) as ReturnType<typeof judgedMessage>);
}

describe("judgedMessage", () => {
  it("comes back as it was", () => {
    const judged = group([
      [{}, scored(1)],
      [{}, scored(0)],
      [{ orderedDigest: "c" }, scored(1)],
      [{ digest: "c" }, scored(1)],
      [{ rows: 3 }, scored(1)],
      [{ columns: 3 }, scored(1)],
      [{ status: "error", message: "no such table: a" }, scored(0)],
      [{ status: "error", message: "no such table: b" }, scored(0)],
      [{}, unscored("gold_error", "one")],
      [{}, unscored("gold_error", "two")],
      [{}, unscored("gold_denied", "two")],
      [{}, scoredWith(1, { rounds: 3 })],
      [{}, scoredWith(1, { rounds: 4 })],
      [{}, scored(1)],
    ]);
    expect(sentAndRead(judged)).toEqual(judged);
    expect(sentAndRead(group([]))).toEqual(group([]));
  });

  it("says once what answers share", () => {
    const judged = group(Array.from({ length: 10 }, (_, index) => [{}, scored(index % 2)] as const));
    const message = judgedMessage(judged);
    expect(message.executions).toEqual([OK]);
    expect(message.verdicts).toEqual([{ exact: scored(0) }, { exact: scored(1) }]);
    expect(message.places).toHaveLength(20);
  });
});
