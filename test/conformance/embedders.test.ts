import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Embedder } from "../../core/embedder.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../embeddings/embedders");
/** Options that an embedder cannot do without; those with a server are embedded in their own tests. */
const NEEDED: Readonly<Record<string, object>> = { openai: { model: "some-model" } };
const embedders = await Promise.all(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts"))
    .map(async (name) => {
      const module = (await import(path.join(FOLDER, name))) as { default: Embedder };
      return { id: path.parse(name).name, embedder: module.default };
    }),
);

describe.each(embedders)("embedder $id", ({ id, embedder }) => {
  it("is an embedder named by its file, whose options are strict", () => {
    expect(embedder).toMatchObject({ kind: "embedder", id });
    expect(Number.isInteger(embedder.version) && embedder.version > 0).toBe(true);
    expect(embedder.options.safeParse(NEEDED[id] ?? {}).success).toBe(true);
    expect(embedder.options.safeParse({ ...NEEDED[id], unheardOf: 1 }).success).toBe(false);
  });

  it.skipIf(id in NEEDED)(
    "gives a vector a text, the same for equal texts, whatever their order",
    async () => {
      const context = { cacheFile: null, client: {}, signal: new AbortController().signal };
      const open = await embedder.open(embedder.options.parse({}), context);
      const texts = ["SELECT a FROM b", "call exec_sql", "", "SELECT a FROM b"];
      const vectors = await open.embed(texts);
      expect(vectors).toHaveLength(4);
      expect(vectors[0]).toEqual(vectors[3]);
      expect(await open.embed([...texts].reverse())).toEqual([...vectors].reverse());
      expect(await open.embed([])).toEqual([]);
      await open.close();
    },
  );
});
