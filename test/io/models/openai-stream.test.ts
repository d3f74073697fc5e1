import { describe, expect, it } from "vitest";
import { collectStream } from "../../../io/models/openai-stream.ts";
import { Secret } from "../../../io/models/secret.ts";

const server = { label: "the server", secret: new Secret(null) };

async function* chunksOf(chunks: readonly unknown[]): AsyncGenerator {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

const delta = (part: object, rest: object = {}): object => ({
  model: "m",
  choices: [{ delta: part, ...rest }],
});

describe("collectStream", () => {
  it("puts text, thought, calls, ids and counts together", async () => {
    const whole = await collectStream(
      chunksOf([
        delta({ role: "assistant", content: "" }),
        delta({ reasoning: "I " }),
        delta({ reasoning_content: "think" }),
        delta({ content: "SEL" }, { token_ids: [1, 2] }),
        delta({ content: "ECT" }, { token_ids: [3] }),
        delta({ tool_calls: [{ index: 0, id: "c1", function: { name: "run", arguments: '{"a"' } }] }),
        delta({ tool_calls: [{ index: 1, id: "c2", function: { name: "stop", arguments: "{}" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: ": 1}" } }] }),
        delta({}, { finish_reason: "tool_calls" }),
        { model: "m", choices: [], usage: { prompt_tokens: 4, completion_tokens: 9 } },
      ]),
      server,
    );
    expect(whole).toEqual({
      model: "m",
      usage: { prompt_tokens: 4, completion_tokens: 9 },
      choices: [
        {
          finish_reason: "tool_calls",
          token_ids: [1, 2, 3],
          message: {
            content: "SELECT",
            reasoning: "I think",
            tool_calls: [
              { id: "c1", function: { name: "run", arguments: '{"a": 1}' } },
              { id: "c2", function: { name: "stop", arguments: "{}" } },
            ],
          },
        },
      ],
    });
  });

  it("takes a stream that ends without a finish reason for cut", async () => {
    await expect(collectStream(chunksOf([delta({ content: "half" })]), server)).rejects.toMatchObject({
      code: "MODEL_REPLY_CUT",
    });
  });
});
