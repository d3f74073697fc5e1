import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../core/tool.ts";

it("defineTool says what kind of plug it is and keeps the rest", async () => {
  const tool = defineTool({
    id: "say",
    version: 2,
    schema: { name: "say", description: "Says it.", parameters: { type: "object" } },
    options: z.strictObject({ loud: z.boolean() }),
    run: (callArguments, options) =>
      Promise.resolve({
        text: `${JSON.stringify(callArguments["text"])}${options.loud ? "!" : ""}`,
        ok: true,
        execution: null,
      }),
  });
  expect([tool.kind, tool.id, tool.version]).toEqual(["tool", "say", 2]);
  const result = await tool.run({ text: "hello" }, { loud: true }, {} as never);
  expect(result.text).toBe('"hello"!');
});
