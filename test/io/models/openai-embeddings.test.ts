import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createEmbeddingClient } from "../../../io/models/openai-embeddings.ts";

/** What a client makes of a server's answer, the body of the request beside it. */
async function ask(answer: unknown, dimensions: number | null = null) {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    incoming.on("end", () => {
      bodies.push(`${incoming.url} ${text}`);
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = createEmbeddingClient({ baseUrl, retries: 1, retryDelayMs: 1 });
  try {
    const request = { model: "m", dimensions, texts: ["a", "b"] };
    return {
      vectors: await client.embed(request, new AbortController().signal),
      bodies,
      account: client.account(),
    };
  } finally {
    await client.close();
    server.close().closeAllConnections();
  }
}

const row = (index: number, embedding: unknown) => ({ index, embedding });

describe("createEmbeddingClient", () => {
  it("asks in OpenAI's form and puts vectors in the order of the texts", async () => {
    const { vectors, bodies, account } = await ask(
      { data: [row(1, [2]), row(0, [1])], usage: { prompt_tokens: 5 } },
      1,
    );
    expect(vectors.map((vector) => [...vector])).toEqual([[1], [2]]);
    expect(bodies).toEqual([
      '/v1/embeddings {"model":"m","input":["a","b"],"encoding_format":"float","dimensions":1}',
    ]);
    expect(account).toMatchObject({ requests: 1, promptTokens: 5 });
  });

  it.each([
    [{ data: [row(0, [1])] }, null],
    [{ data: [row(0, [1]), row(1, [1, 2])] }, null],
    [{ data: [row(0, []), row(1, [])] }, null],
    [{ data: [row(0, [1]), row(1, [2])] }, 3],
    [{ object: "error", message: "no" }, null],
  ])("takes no half answer: %j", async (answer, dimensions) => {
    await expect(ask(answer, dimensions)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  });

  it("needs an address", () => {
    expect(() => createEmbeddingClient({})).toThrow("neither baseUrl nor baseUrls");
  });
});
