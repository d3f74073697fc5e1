import { expect, it } from "vitest";
import { z } from "zod";
import { defineEmbedder, Vector } from "../../core/embedder.ts";

it("an embedder carries its kind, and a vector is sparse or dense", () => {
  const open = () => Promise.reject(new Error("not opened here"));
  expect(defineEmbedder({ id: "e", version: 1, options: z.strictObject({}), open }).kind).toBe("embedder");
  expect(Vector.safeParse({ dimensions: 3, indices: [1], values: [0.5] }).success).toBe(true);
  expect(Vector.safeParse({ dimensions: 1, indices: null, values: [Number.NaN] }).success).toBe(false);
});
