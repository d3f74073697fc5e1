import { expect, it } from "vitest";
import type { Model, ModelRequest } from "../../core/model.ts";
import { openDrained } from "../../synth/drained-model.ts";
import { modelReply, ScriptedModel } from "../fakes/model.ts";

const REQUEST: ModelRequest = {
  model: "student",
  messages: [{ role: "user", content: "hello", reasoning: null, toolCalls: [], toolCallId: null }],
  tools: [],
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 5, stop: [], extra: {} },
  seed: 1,
};

it("gives one model a role, whose sent requests no interruption ends", async () => {
  const sent: (AbortSignal | undefined)[] = [];
  const model: Model = Object.assign(new ScriptedModel([]), {
    complete: async (_: ModelRequest, __: AbortSignal, sentSignal?: AbortSignal) => {
      sent.push(sentSignal);
      return modelReply("hello");
    },
  });
  const models = { open: () => Promise.resolve(model) };
  const drained = await openDrained("student", models);
  expect(await openDrained("student", models)).toBe(drained);
  const stop = new AbortController();
  const reply = drained.complete(REQUEST, stop.signal);
  stop.abort();
  expect((await reply).content).toBe("hello");
  expect(sent.map((signal) => signal?.aborted)).toEqual([false]);
});
