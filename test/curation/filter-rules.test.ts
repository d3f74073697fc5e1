import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { bucketOf, FilterOptions, pool } from "../../curation/filter-rules.ts";
import { goldRow, rate } from "./sample-rows.ts";

type Options = z.input<typeof FilterOptions>;

const noRules: Options = { trivial: null, intractable: null };
const weak = { model: { name: "weak", revision: "1" } };
const strong = { model: { name: "strong", revision: "1" } };
const agent = { setting: "agent" };

type Rates = ReturnType<typeof rate>[];

/** The bucket of an example with a good gold. */
function bucket(rates: Rates, options: Options): string {
  return bucketOf(goldRow("a"), rates, FilterOptions.parse(options)).bucket;
}

function figuresOf(model: string): Options {
  return { ...noRules, figures: { models: [model] } };
}

describe("bucketOf", () => {
  it("is trivial first when both rules hold", () => {
    const rates = [rate("a", 16, 16, weak), rate("a", 32, 0, strong)];
    const trivial = { models: ["weak"], minimumN: 16 };
    const intractable = { models: ["strong"], minimumN: 32 };
    expect(bucket(rates, { trivial, intractable })).toBe("trivial");
    expect(bucket(rates, { trivial: null, intractable })).toBe("intractable");
    expect(bucket(rates, noRules)).toBe("kept");
  });

  it("pools models and settings that are not named", () => {
    const rates = [rate("a", 8, 8, weak), rate("a", 8, 8, { ...weak, ...agent }), rate("a", 8, 7, strong)];
    expect(bucket(rates, { trivial: { minimumN: 24 }, intractable: null })).toBe("kept");
    expect(bucket(rates, { trivial: { models: ["weak"], minimumN: 16 }, intractable: null })).toBe("trivial");
    expect(bucket(rates, { trivial: { models: ["weak"], minimumN: 17 }, intractable: null })).toBe("kept");
    expect(bucket(rates, { trivial: { models: ["nobody"], minimumN: 1 }, intractable: null })).toBe("kept");
  });

  it("asks all named settings or any of them", () => {
    const settings = ["single-turn", "agent"];
    const split = [rate("a", 16, 16), rate("a", 16, 12, agent)];
    const rule = (agree: "all" | "any"): Options => ({
      trivial: { settings, minimumN: 16, agree },
      intractable: null,
    });
    expect(bucket(split, rule("all"))).toBe("kept");
    expect(bucket(split, rule("any"))).toBe("trivial");
    const both = [rate("a", 16, 16), rate("a", 16, 16, agent)];
    expect(bucket(both, rule("all"))).toBe("trivial");
    const absent = [rate("a", 16, 16)];
    expect(bucket(absent, rule("all"))).toBe("kept");
    expect(bucket(absent, rule("any"))).toBe("trivial");
  });

  it("looks only at the figures for whether there are samples", () => {
    const rates = [rate("a", 4, 2, weak), rate("a", 0, 0, { ...strong, unscored: { crashed: 4 } })];
    expect(bucket(rates, figuresOf("weak"))).toBe("kept");
    expect(bucket(rates, figuresOf("strong"))).toBe("all_unscored");
    expect(bucket(rates, figuresOf("nobody"))).toBe("no_samples");
  });
});

describe("pool", () => {
  it("sums the chosen cells", () => {
    const rates = [
      rate("a", 16, 4, weak),
      rate("a", 8, 6, { ...strong, simulated: true }),
      rate("a", 2, 1, { ...weak, ...agent }),
    ];
    expect(pool(rates, { models: null, settings: null })).toEqual({
      n: 26,
      c: 11,
      complete: true,
      simulated: true,
    });
    expect(pool(rates, { models: ["weak"], settings: null })).toEqual({
      n: 18,
      c: 5,
      complete: true,
      simulated: false,
    });
    expect(pool(rates, { models: ["weak"], settings: ["agent"] })).toEqual({
      n: 2,
      c: 1,
      complete: true,
      simulated: false,
    });
  });

  it("says when a cell that was stopped early is among the pooled ones", () => {
    const rates = [rate("a", 4, 3, { ...weak, stopRule: "first_wrong" }), rate("a", 4, 1, strong)];
    expect(pool(rates, { models: ["strong"], settings: null }).complete).toBe(true);
    expect(pool(rates, { models: null, settings: null }).complete).toBe(false);
  });
});
