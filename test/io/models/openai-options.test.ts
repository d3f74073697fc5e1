import { expect, it } from "vitest";
import { OpenAiModelOptions } from "../../../io/models/openai-options.ts";

it("needs an address and no key", () => {
  expect(OpenAiModelOptions.parse({ baseUrl: "http://127.0.0.1:8000/v1" })).toMatchObject({
    apiKeyVariable: null,
    server: "openai",
    maxTokensField: "max_tokens",
    reasoningField: null,
    stream: false,
  });
  expect(OpenAiModelOptions.safeParse({}).success).toBe(false);
});

it("refuses a server that it does not know", () => {
  const options = { baseUrl: "http://127.0.0.1:8000/v1", server: "ollama" };
  expect(OpenAiModelOptions.safeParse(options).success).toBe(false);
});
