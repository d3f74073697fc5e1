import { expect, it } from "vitest";
import { DescribeOptions } from "../../synth/describe-options.ts";

it("asks for 40 columns at a time and replaces nothing", () => {
  const options = DescribeOptions.parse({
    role: "teacher",
    model: { name: "teacher", revision: "" },
    simulated: false,
    sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 5, extra: {} },
  });
  expect(options).toMatchObject({ columnsPerRequest: 40, replaceExisting: false });
  expect(options.profile.samplesPerColumn).toBe(5);
});
