import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { packageRoot, packageVersion } from "../../io/package-root.ts";

it("the package is found above its code, with the sample dataset inside", async () => {
  const root = await packageRoot();
  expect(root).toBe(path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../.."));
  expect(existsSync(path.join(root, "datasets/sample/spider/tables.json"))).toBe(true);
});

it("the version is the package's", async () => {
  expect(await packageVersion()).toBe(manifest.version);
  expect(await packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
});
