import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { filterStage } from "../../curation/filter.ts";
import type { FilterOptions } from "../../curation/filter-rules.ts";
import { executed } from "../fakes/judge.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, goldRow, idOf, rate } from "./sample-rows.ts";

type Options = z.input<typeof FilterOptions>;

const sixteen = { minimumN: 16 };
const bothRules: Options = { trivial: sixteen, intractable: sixteen };
const noRules: Options = { trivial: null, intractable: null };
const weak = { model: { name: "weak", revision: "1" } };
const strong = { model: { name: "strong", revision: "1" } };

type Rates = ReturnType<typeof rate>[];

describe("filterStage", () => {
  it("takes bands of the pass rate where a rule states one", async () => {
    const counts = [16, 15, 14, 8, 2, 1, 0];
    const inputs = {
      examples: counts.map((c) => example(`e${c}`)),
      golds: counts.map((c) => goldRow(`e${c}`)),
      rates: counts.map((c) => rate(`e${c}`, 16, c)),
    };
    const options = { trivial: { minimumN: 16, rate: 0.9 }, intractable: { minimumN: 16, rate: 0.1 } };
    const { kept, dropped } = await runStage(filterStage, inputs, options);
    expect(kept.map(({ sourceId }) => sourceId)).toEqual(["e14", "e8", "e2"]);
    expect(dropped.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual([
      "e16 trivial",
      "e15 trivial",
      "e1 intractable",
      "e0 intractable",
    ]);
    const stopped = {
      ...inputs,
      rates: counts.map((c) => rate(`e${c}`, 16, c, { stopRule: "mixed" as const })),
    };
    await expect(runStage(filterStage, stopped, options)).rejects.toMatchObject({
      code: "FILTER_RATE_STOPPED",
    });
  });

  it("puts each example into the bucket of a table worked out by hand", async () => {
    const table: [string, Rates, string][] = [
      ["all right", [rate("", 16, 16)], "trivial"],
      ["all but one", [rate("", 16, 15)], "kept"],
      ["one right", [rate("", 16, 1)], "kept"],
      ["none right", [rate("", 16, 0)], "intractable"],
      ["all right of fifteen, one crashed", [rate("", 15, 15, { unscored: { crashed: 1 } })], "kept"],
      ["none right of fifteen, one crashed", [rate("", 15, 0, { unscored: { crashed: 1 } })], "kept"],
      [
        "none right of sixteen, four more crashed",
        [rate("", 16, 0, { unscored: { crashed: 4 } })],
        "intractable",
      ],
      ["all crashed", [rate("", 0, 0, { unscored: { crashed: 16 } })], "all_unscored"],
      ["no samples", [], "no_samples"],
    ];
    const names = table.map((_, index) => `e${index}`);
    const inputs = {
      examples: names.map((name) => example(name)),
      golds: names.map((name) => goldRow(name)),
      rates: table.flatMap(([, rates], index) =>
        rates.map((row) => ({ ...row, exampleId: idOf(`e${index}`) })),
      ),
    };
    const { kept, dropped, funnel } = await runStage(filterStage, inputs, bothRules);
    const buckets = new Map([
      ...kept.map(({ sourceId }) => [sourceId, "kept"] as const),
      ...dropped.map(({ sourceId, reason }) => [sourceId, reason] as const),
    ]);
    expect(names.map((name, index) => [table[index]?.[0], buckets.get(name)])).toEqual(
      table.map(([what, , bucket]) => [what, bucket]),
    );
    expect(funnel).toEqual([
      { bucket: "kept", count: 4 },
      { bucket: "database_missing", count: 0 },
      { bucket: "database_unreadable", count: 0 },
      { bucket: "no_gold", count: 0 },
      { bucket: "gold_error", count: 0 },
      { bucket: "gold_timeout", count: 0 },
      { bucket: "gold_too_large", count: 0 },
      { bucket: "gold_crashed", count: 0 },
      { bucket: "gold_empty", count: 0 },
      { bucket: "no_samples", count: 1 },
      { bucket: "all_unscored", count: 1 },
      { bucket: "trivial", count: 1 },
      { bucket: "intractable", count: 2 },
    ]);
  });

  it("puts what is wrong with the database or the gold before any rate", async () => {
    const reasons = [
      "database_missing",
      "database_unreadable",
      "no_gold",
      "gold_error",
      "gold_timeout",
      "gold_too_large",
      "gold_crashed",
    ];
    const inputs = {
      examples: reasons.map((reason) => example(reason)),
      golds: reasons.map((reason) => goldRow(reason, { reason, message: `because ${reason}` })),
      rates: reasons.map((reason) => rate(reason, 16, 16)),
    };
    const { kept, dropped } = await runStage(filterStage, inputs, bothRules);
    expect(kept).toEqual([]);
    expect(dropped.map(({ reason, message }) => [reason, message])).toEqual(
      reasons.map((reason) => [reason, `because ${reason}`]),
    );
  });

  it("drops empty golds only when asked to", async () => {
    const executions = [
      [executed("empty")],
      [executed("error"), executed("empty")],
      [executed("empty"), executed("ok")],
    ];
    const names = ["a", "b", "c"];
    const inputs = {
      examples: names.map((name) => example(name)),
      golds: names.map((name, index) => goldRow(name, { executions: executions[index] ?? null })),
      rates: names.map((name) => rate(name, 4, 2)),
    };
    const bySource = async (options: Options) =>
      (await runStage(filterStage, inputs, options)).dropped.map(({ sourceId, reason }) => [
        sourceId,
        reason,
      ]);
    expect(await bySource(noRules)).toEqual([]);
    expect(await bySource({ ...noRules, dropEmptyGold: true })).toEqual([
      ["a", "gold_empty"],
      ["b", "gold_empty"],
    ]);
  });

  it("carries position, hardness, and n and c pooled over the chosen figures", async () => {
    const inputs = {
      examples: [
        example("x"),
        example("a", { difficulty: "simple" }),
        example("b", { difficulty: "simple" }),
      ],
      golds: [
        goldRow("x", { reason: "gold_error" }),
        goldRow("a"),
        goldRow("b", {
          labels: { "spider-hardness": { status: "unscored", reason: "spider_parse_refused", message: "" } },
        }),
      ],
      rates: [
        rate("a", 16, 4, weak),
        rate("a", 8, 6, { ...strong, simulated: true }),
        rate("b", 16, 1, weak),
      ],
    };
    const { kept } = await runStage(filterStage, inputs, noRules);
    expect(kept).toEqual([
      {
        exampleId: idOf("a"),
        sourceId: "a",
        databaseId: "ferries",
        position: 1,
        hardness: "easy",
        n: 24,
        c: 10,
        complete: true,
        simulated: true,
      },
      {
        exampleId: idOf("b"),
        sourceId: "b",
        databaseId: "ferries",
        position: 2,
        hardness: null,
        n: 16,
        c: 1,
        complete: true,
        simulated: false,
      },
    ]);
    const chosen = await runStage(filterStage, inputs, {
      ...noRules,
      figures: { models: ["strong"] },
      label: null,
    });
    expect(chosen.kept.map(({ sourceId, hardness, n, c }) => [sourceId, hardness, n, c])).toEqual([
      ["a", "simple", 8, 6],
    ]);
    expect(chosen.dropped.map(({ sourceId, reason }) => [sourceId, reason])).toEqual([
      ["x", "gold_error"],
      ["b", "no_samples"],
    ]);
  });

  it("tells a person why", async () => {
    const inputs = {
      examples: [example("a"), example("b")],
      golds: [goldRow("a"), goldRow("b")],
      rates: [rate("a", 16, 16), rate("b", 0, 0, { unscored: { crashed: 2, busy: 1 } })],
    };
    const { dropped } = await runStage(filterStage, inputs, bothRules);
    expect(dropped.map(({ message }) => message)).toEqual([
      "16 of 16 samples are right",
      "no sample has a score: busy 1, crashed 2",
    ]);
  });

  it("refuses stopped groups, missing golds and reasons it does not know", async () => {
    const rates = [rate("a", 4, 2)];
    const examples = [example("a")];
    // One wrong first sample: surely not trivial, but whether it is intractable is not settled.
    const stopped = {
      examples,
      golds: [goldRow("a")],
      rates: [rate("a", 1, 0, { stopRule: "first_wrong" })],
    };
    await expect(runStage(filterStage, stopped, bothRules)).rejects.toMatchObject({
      code: "FILTER_RATE_STOPPED",
    });
    const { kept } = await runStage(filterStage, stopped, { ...bothRules, intractable: null });
    expect(kept).toMatchObject([{ n: 1, c: 0, complete: false }]);
    await expect(runStage(filterStage, { examples, golds: [], rates }, noRules)).rejects.toMatchObject({
      code: "FILTER_GOLD_MISSING",
    });
    const golds = [goldRow("a", { reason: "odd" })];
    await expect(runStage(filterStage, { examples, golds, rates }, noRules)).rejects.toMatchObject({
      code: "FILTER_REASON_UNKNOWN",
    });
  });

  it("wants both rules stated and refuses unknown options", () => {
    expect(filterStage.options.safeParse({}).success).toBe(false);
    expect(filterStage.options.safeParse({ ...noRules, trivail: null }).success).toBe(false);
    expect(filterStage.options.safeParse(noRules).success).toBe(true);
  });
});
