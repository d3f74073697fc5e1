import { describe, expect, it } from "vitest";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { passRatesStage } from "../../curation/pass-rates.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, idOf, sample } from "./sample-rows.ts";

const strong = { model: { name: "strong", revision: "1" } };

describe("passRatesStage", () => {
  it("counts scored and right samples per model and setting, and the rest by reason", async () => {
    const inputs = {
      examples: [example("a"), example("b"), example("c")],
      samples: [
        sample("a", 0, 1, strong),
        sample("a", 0, 1),
        sample("a", 1, 0),
        sample("a", 2, unscored("crashed", "")),
        sample("a", 3, unscored("crashed", "")),
        sample("a", 4, unscored("busy", "")),
        sample("a", 0, 0.5, { setting: "agent", simulated: true }),
        sample("c", 0, unscored("crashed", "")),
      ],
    };
    const { rates } = await runStage(passRatesStage, { groups: [], ...inputs }, {});
    const common = { metric: "bird-ex", stopRule: "complete", simulated: false };
    const student = { name: "student", revision: "1" };
    expect(rates).toEqual([
      { ...common, exampleId: idOf("a"), ...strong, setting: "single-turn", n: 1, c: 1, unscored: {} },
      {
        ...common,
        exampleId: idOf("a"),
        model: student,
        setting: "agent",
        n: 1,
        c: 0,
        unscored: {},
        simulated: true,
      },
      {
        ...common,
        exampleId: idOf("a"),
        model: student,
        setting: "single-turn",
        n: 2,
        c: 1,
        unscored: { crashed: 2, busy: 1 },
      },
      {
        ...common,
        exampleId: idOf("c"),
        model: student,
        setting: "single-turn",
        n: 0,
        c: 0,
        unscored: { crashed: 1 },
      },
    ]);
  });

  it("counts samples as right that are right by all of several metrics", async () => {
    const judged = (index: number, ex: Verdict, em: Verdict) => ({
      ...sample("a", index, 1),
      verdicts: { "spider-ex": ex, "spider-em": em },
    });
    const samples = [
      judged(0, scored(1), scored(1)),
      judged(1, scored(1), scored(0)),
      judged(2, scored(0), scored(1)),
      judged(3, scored(1), unscored("spider_parse_refused", "")),
    ];
    const options = { metric: "spider-ex", also: ["spider-em"] };
    const { rates } = await runStage(
      passRatesStage,
      { examples: [example("a")], samples, groups: [] },
      options,
    );
    expect(rates).toMatchObject([
      { metric: "spider-ex + spider-em", n: 3, c: 1, unscored: { spider_parse_refused: 1 } },
    ]);
  });

  it("does not depend on the order of an example's samples", async () => {
    const samples = [sample("a", 0, 1, strong), sample("a", 0, 1), sample("a", 1, 0)];
    const examples = [example("a")];
    const forward = await runStage(passRatesStage, { groups: [], examples, samples }, {});
    const backward = await runStage(
      passRatesStage,
      { groups: [], examples, samples: samples.toReversed() },
      {},
    );
    expect(backward).toEqual(forward);
  });

  it("tells checkpoints of one name apart", async () => {
    const model = { name: "student", revision: "0" };
    const inputs = { examples: [example("a")], samples: [sample("a", 0, 1), sample("a", 0, 0, { model })] };
    const { rates } = await runStage(passRatesStage, { groups: [], ...inputs }, {});
    expect(rates.map(({ model: { revision }, n, c }) => [revision, n, c])).toEqual([
      ["0", 1, 0],
      ["1", 1, 1],
    ]);
  });

  it("names the metrics there are when the asked one is not among them", async () => {
    const inputs = { examples: [example("a")], samples: [sample("a", 0, 1)] };
    await expect(
      runStage(passRatesStage, { groups: [], ...inputs }, { metric: "spider-ex" }),
    ).rejects.toMatchObject({
      code: "METRIC_NOT_SCORED",
      message: expect.stringContaining("bird-ex") as string,
    });
  });

  it("carries the stop rule of a group that ended early", async () => {
    const inputs = {
      examples: [example("a")],
      samples: [sample("a", 0, 1), sample("a", 1, 0)],
      groups: [
        {
          exampleId: idOf("a"),
          model: { name: "student", revision: "1" },
          setting: "single-turn",
          round: 0,
          planned: 8,
          sampled: 2,
          stopRule: "mixed" as const,
        },
      ],
    };
    const { rates } = await runStage(passRatesStage, inputs, {});
    expect(rates).toMatchObject([{ n: 2, c: 1, stopRule: "mixed" }]);
  });
});
