import { expect, it } from "vitest";
import { defineLabel, defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";

it("metrics and labels are told apart by their kind", () => {
  const metric = defineMetric({
    id: "always",
    version: 2,
    needs: { rows: false },
    deviations: [],
    judge: () => scored(1),
  });
  const label = defineLabel({
    id: "length",
    version: 1,
    levels: ["short"],
    label: () => ({ status: "scored", label: "short" }),
  });
  expect(metric).toMatchObject({ kind: "metric", id: "always", version: 2 });
  expect(label).toMatchObject({ kind: "label", id: "length", levels: ["short"] });
});
