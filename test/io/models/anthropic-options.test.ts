import { expect, it } from "vitest";
import { AnthropicModelOptions } from "../../../io/models/anthropic-options.ts";

it("needs no address and takes the key of a variable with the usual name", () => {
  expect(AnthropicModelOptions.parse({})).toMatchObject({
    baseUrl: null,
    apiKeyVariable: "ANTHROPIC_API_KEY",
    apiVersion: "2026-10-21",
  });
});

it("refuses a version that it does not speak", () => {
  expect(AnthropicModelOptions.safeParse({ apiVersion: "2020-01-01" }).success).toBe(false);
});
