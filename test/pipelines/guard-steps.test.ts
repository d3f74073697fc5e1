import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { guardSteps } from "../../pipelines/guard-steps.ts";

const links = {
  examples: { step: "load", port: "examples" },
  databases: { step: "profile", port: "databases" },
  kept: { step: "filter", port: "kept" },
};
const base = {
  gradus: 1,
  name: "x",
  datasets: [{ loader: "spider", root: "spider", split: "train" }],
  answers: { import: [{ model: { name: "m" }, files: ["a.csv"] }] },
};

it("adds nothing where nothing is asked for", () => {
  const { steps, kept } = guardSteps({ config: parseRunConfig(base, "x"), guardRoots: [], ...links });
  expect([steps, kept]).toEqual([[], links.kept]);
});

it("loads what is guarded, once for each split, and feeds one step to the next", () => {
  const dev = { loader: "spider", root: "spider", split: "dev" };
  const guard = { against: [dev, { ...dev, loader: "sparc" }] };
  const config = parseRunConfig({ ...base, deduplicate: {}, guard }, "x");
  const { steps, kept } = guardSteps({ config, guardRoots: ["/a", "/b"], ...links });
  expect(steps.map(({ id }) => id)).toEqual([
    "deduplicate",
    "guard-load-0",
    "guard-profile-0",
    "guard-load-1",
    "guard-profile-1",
    "guard-combine",
    "guard",
  ]);
  expect(steps.at(-1)?.inputs).toEqual({
    kept: { step: "deduplicate", port: "kept" },
    examples: links.examples,
    databases: links.databases,
    guarded: { step: "guard-combine", port: "examples" },
    guardedDatabases: { step: "guard-combine", port: "databases" },
  });
  expect(kept).toEqual({ step: "guard", port: "kept" });
});
