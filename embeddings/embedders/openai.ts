import { z } from "zod";
import { defineEmbedder, type EmbedderContext, type OpenEmbedder, type Vector } from "../../core/embedder.ts";
import { openEmbeddingCache } from "../../io/embedding-cache.ts";
import { createEmbeddingClient } from "../../io/models/openai-embeddings.ts";

const OpenAiEmbedderOptions = z.strictObject({
  model: z.string().min(1).describe("the name the server knows the model by: Qwen/Qwen3-Embedding-0.6B"),
  revision: z.string().default("").describe("checkpoint: one served name can be many"),
  dimensions: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe("dimensions to ask for; null leaves it to the model"),
  batchSize: z.int().min(1).max(2_048).default(64).describe("texts in one request"),
  maxCharacters: z
    .int()
    .positive()
    .default(16_000)
    .describe("what a text is cut to, so that it fits the model"),
});
type OpenAiEmbedderOptions = z.infer<typeof OpenAiEmbedderOptions>;

/**
 * Any server with OpenAI's `/v1/embeddings`, such as vLLM with Qwen3-Embedding. Each different text is asked once
 * and kept, so that an interrupted run pays for nothing twice. @paper MTSQL-R1, section 3.2.2, S2
 */
export default defineEmbedder({
  id: "openai",
  version: 1,
  options: OpenAiEmbedderOptions,
  open: (options, context) => openEmbedder(options, context),
});

async function openEmbedder(options: OpenAiEmbedderOptions, context: EmbedderContext): Promise<OpenEmbedder> {
  const { model, revision, dimensions, batchSize, maxCharacters } = options;
  const client = createEmbeddingClient(context.client);
  const cache = await openEmbeddingCache(context.cacheFile, JSON.stringify([model, revision, dimensions]));
  const asked = new Map<string, Promise<void>>();
  const ask = async (texts: readonly string[]): Promise<void> => {
    const vectors = await client.embed({ model, dimensions, texts }, context.signal);
    cache.put(texts.map((text, place) => ({ text, vector: vectors[place] as Float32Array })));
  };
  return {
    embed: async (given) => {
      const texts = given.map((text) => text.slice(0, maxCharacters));
      const open = [...new Set(texts)].filter((text) => !asked.has(text) && cache.get(text) === undefined);
      for (let start = 0; start < open.length; start += batchSize) {
        const batch = open.slice(start, start + batchSize);
        const pending = ask(batch).finally(() => {
          for (const text of batch) asked.delete(text);
        });
        for (const text of batch) asked.set(text, pending);
      }
      await Promise.all(new Set(texts.flatMap((text) => asked.get(text) ?? [])));
      return texts.map((text) => vectorOf(cache.get(text) ?? new Float32Array()));
    },
    close: async () => {
      await Promise.allSettled(asked.values());
      await client.close();
      cache.close();
    },
  };
}

function vectorOf(values: Float32Array): Vector {
  return { dimensions: values.length, indices: null, values: [...values] };
}
