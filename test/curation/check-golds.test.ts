import { describe, expect, it } from "vitest";
import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { checkGoldsStage } from "../../curation/check-golds.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { database, example } from "./sample-rows.ts";

const metric = defineMetric({
  id: "same",
  version: 1,
  needs: { rows: false },
  deviations: [],
  judge: () => scored(1),
});

describe("checkGoldsStage", () => {
  it("runs every gold with no answer beside it and says which cannot be judged", async () => {
    const golds = { good: executed("ok"), bad: executed("error", "no such table: ferry") };
    const judge = new FakeJudge({ golds, answers: {} });
    const inputs = {
      examples: [
        example("a", { gold: ["good"] }),
        example("b", { gold: ["bad"] }),
        example("c", { databaseId: "absent", gold: ["good"] }),
      ],
      databases: [database("ferries")],
    };
    const options = { metrics: ["same"], labels: [] };
    const found = await runStage(checkGoldsStage, inputs, options, { plugs: fakePlugs([metric]), judge });
    expect(found.golds.map(({ reason }) => reason)).toEqual(["ok", "gold_error", "database_missing"]);
    expect(found.golds[1]?.message).toBe("no such table: ferry");
    expect(judge.requests.map(({ predictions }) => predictions)).toEqual([[], []]);
  });
});
