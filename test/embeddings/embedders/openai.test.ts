import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import plug from "../../../embeddings/embedders/openai.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A real server that embeds a text as its length and its first code; the first requests fail as told. */
async function serve(
  requests: string[][],
  failures: number[] = [],
): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    incoming.on("end", () => {
      const status = failures.shift();
      if (status !== undefined) {
        outgoing.writeHead(status, { "content-type": "application/json" });
        outgoing.end('{"error":{"message":"not now"}}');
        return;
      }
      const { input } = JSON.parse(text) as { input: string[] };
      requests.push(input);
      const data = input.map((each, index) => ({ index, embedding: [each.length, each.charCodeAt(0)] }));
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ data: data.reverse(), model: "e", usage: { prompt_tokens: 3 } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function open(url: string, cacheFile: string | null, options: object = {}) {
  const client = { baseUrl: url, retryDelayMs: 1, maxRetryDelayMs: 2 };
  const context = { cacheFile, client, signal: new AbortController().signal };
  return plug.open(plug.options.parse({ model: "e", ...options }), context);
}

describe("openai", () => {
  it("asks each different text once, in batches, and not again in a later run", async () => {
    const requests: string[][] = [];
    const { url, server } = await serve(requests, [503, 500]);
    servers.push(server);
    const cacheFile = path.join(await temporaryFolder(), "cache.sqlite");
    const first = await open(url, cacheFile, { batchSize: 2 });
    const vectors = await first.embed(["a", "bb", "a", "ccc"]);
    expect(vectors.map(({ values }) => values)).toEqual([
      [1, 97],
      [2, 98],
      [1, 97],
      [3, 99],
    ]);
    expect(requests.map((batch) => batch.length).sort((left, right) => left - right)).toEqual([1, 2]);
    await first.close();
    const second = await open(url, cacheFile);
    expect((await second.embed(["ccc", "d"])).map(({ values }) => values)).toEqual([
      [3, 99],
      [1, 100],
    ]);
    expect(requests.at(-1)).toEqual(["d"]);
    await second.close();
    const other = await open(url, cacheFile, { revision: "2" });
    await other.embed(["d"]);
    expect(requests).toHaveLength(4);
    await other.close();
  });

  it("refuses what the server refuses, with its words", async () => {
    const { url, server } = await serve([], [400]);
    servers.push(server);
    const embedder = await open(url, null);
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "MODEL_REQUEST_REFUSED" });
    await embedder.close();
  });
});
