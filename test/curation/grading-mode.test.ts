import { describe, expect, it } from "vitest";
import { gradingMode } from "../../curation/grading-mode.ts";
import type { GradingFacts } from "../../curation/grading-mode.ts";

const PLAIN: GradingFacts = {
  ordersRows: false,
  uniqueRows: false,
  rows: 3,
  cut: "none",
  cutsInside: false,
  nullFirst: false,
  numericText: [],
  clock: [],
  random: [],
  bareColumns: [],
  dependsOnRowOrder: false,
};

describe("gradingMode", () => {
  it.each<[Partial<GradingFacts>, string, number | undefined]>([
    [{}, "multiset", undefined],
    [{ uniqueRows: true }, "set", undefined],
    [{ ordersRows: true, uniqueRows: true }, "ordered", undefined],
    [{ ordersRows: true, cut: "clean" }, "ordered", undefined],
    [{ cut: "clean" }, "multiset", undefined],
    [{ ordersRows: true, cut: "tie" }, "subset", 3],
    [{ cut: "unordered", uniqueRows: true }, "subset", 3],
    [{ ordersRows: true, cut: "unknown" }, "ordered", undefined],
  ])("of %j is %s", (facts, mode, k) => {
    const grading = gradingMode({ ...PLAIN, ...facts });
    expect(grading.mode).toBe(mode);
    expect(grading.k).toBe(k);
  });

  it("finds nothing in a gold that its data determine", () => {
    expect(gradingMode({ ...PLAIN, ordersRows: true, cut: "clean" }).findings).toEqual([]);
  });

  it("names each reason why data do not determine a gold", () => {
    const { findings } = gradingMode({
      ...PLAIN,
      cut: "tie",
      cutsInside: true,
      nullFirst: true,
      numericText: ["car.power by MAX", "car.power by >"],
      clock: ["CURRENT_DATE"],
      random: ["random()"],
      bareColumns: ["T1.name"],
      dependsOnRowOrder: true,
    });
    expect(findings.map(({ kind }) => kind)).toEqual([
      "limit_tie",
      "subquery_limit",
      "null_first",
      "numeric_text",
      "numeric_text",
      "clock",
      "random",
      "bare_column",
      "row_order",
    ]);
    expect(findings.map(({ message }) => message).join("\n")).toMatch(
      /car\.power by MAX[^]*CURRENT_DATE[^]*T1\.name/,
    );
    const unordered = gradingMode({ ...PLAIN, cut: "unordered" });
    expect(unordered.findings.map(({ kind }) => kind)).toEqual(["limit_without_order"]);
    expect(gradingMode({ ...PLAIN, cut: "unknown" }).findings.map(({ kind }) => kind)).toEqual([
      "limit_unknown",
    ]);
  });
});
