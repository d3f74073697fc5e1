import { expect, it } from "vitest";
import { z } from "zod";
import { issueText } from "../../pipelines/issue-text.ts";

const Schema = z.strictObject({ calls: z.number().optional(), inner: z.strictObject({}).optional() });

function textsOf(value: unknown): string[] {
  return (Schema.safeParse(value).error?.issues ?? []).map((issue) => issueText(issue, ["calls", "inner"]));
}

it("names an unknown key, its near miss and the keys that there are", () => {
  expect(textsOf({ callz: 1 })).toEqual([
    'unknown key "callz" (did you mean "calls"?), expected calls, inner',
  ]);
});

it("names the place of what lies within", () => {
  expect(textsOf({ inner: { calls: 1 } })).toEqual(['inner: unknown key "calls"']);
  expect(textsOf({ calls: "many" })).toEqual(["calls: Invalid input: expected number, received string"]);
});
