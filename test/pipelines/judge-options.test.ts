import { expect, it } from "vitest";
import { judgeOptions } from "../../pipelines/judge-options.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";

const plugs = createPlugFinder();

it("tells metrics and labels apart", async () => {
  expect(await judgeOptions(["spider-em", "bird-difficulty", "bird-ex"], plugs)).toMatchObject({
    metrics: ["spider-em", "bird-ex"],
    labels: ["spider-hardness", "bird-difficulty"],
  });
});

it("refuses to judge by nothing, by a measurement, and by what nobody knows", async () => {
  await expect(judgeOptions(["spider-hardness"], plugs)).rejects.toMatchObject({ code: "USAGE" });
  await expect(judgeOptions(["bird-r-ves"], plugs)).rejects.toMatchObject({ code: "USAGE" });
  await expect(judgeOptions(["bird-xe"], plugs)).rejects.toMatchObject({ code: "PLUG_UNKNOWN" });
});
