import { expect, it } from "vitest";
import { definePredictionFormat } from "../../core/prediction-format.ts";

it("a prediction format is marked by its kind and keeps its parts", () => {
  const format = definePredictionFormat({
    id: "stones",
    version: 2,
    recognises: (fileName) => fileName.endsWith(".stone"),
    async *read() {},
  });
  expect(format).toMatchObject({ kind: "prediction-format", id: "stones", version: 2 });
  expect([format.recognises("a.stone", ""), format.recognises("a.csv", "")]).toEqual([true, false]);
});
