import { describe, expect, it } from "vitest";
import { Manifest } from "../../core/artifact.ts";

const MANIFEST = {
  gradus: 1,
  stage: "load",
  version: 1,
  key: "a".repeat(64),
  seed: 1,
  options: { limit: null },
  plugs: [{ kind: "loader", id: "spider", version: 1 }],
  inputs: {},
  sources: [{ name: "dev.json", sha256: "b".repeat(64) }],
  outputs: { examples: { rows: 2, digest: "c".repeat(64), groups: { train: 2 } } },
  files: [{ path: "card/README.md", bytes: 0, sha256: "d".repeat(64) }],
};

describe("Manifest", () => {
  it("is read back as it was written", () => {
    expect(Manifest.parse(JSON.parse(JSON.stringify(MANIFEST)))).toEqual(MANIFEST);
  });

  it.each([
    ["another format", { gradus: 2 }],
    ["a short key", { key: "a" }],
    ["a time", { time: "2024-01-01" }],
    ["half a row", { outputs: { examples: { rows: 0.5, digest: "c".repeat(64), groups: {} } } }],
    ["options that are not JSON", { options: { at: new Date(0) } }],
  ])("refuses %s", (_, change) => {
    expect(Manifest.safeParse({ ...MANIFEST, ...change }).success).toBe(false);
  });
});
