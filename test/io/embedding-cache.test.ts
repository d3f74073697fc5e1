import path from "node:path";
import { expect, it } from "vitest";
import { openEmbeddingCache } from "../../io/embedding-cache.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("vectors are kept by model and text", async () => {
  const file = path.join(await temporaryFolder(), "below", "cache.sqlite");
  const cache = await openEmbeddingCache(file, "m");
  cache.put([{ text: "a", vector: Float32Array.of(1, 0.5) }]);
  cache.close();
  const again = await openEmbeddingCache(file, "m");
  expect([...(again.get("a") ?? [])]).toEqual([1, 0.5]);
  expect(again.get("b")).toBeUndefined();
  again.close();
  const other = await openEmbeddingCache(file, "another");
  expect(other.get("a")).toBeUndefined();
  other.close();
  const none = await openEmbeddingCache(null, "m");
  none.put([{ text: "a", vector: Float32Array.of(2) }]);
  expect([...(none.get("a") ?? [])]).toEqual([2]);
  none.close();
});
