import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Manifest, StageKeyParts } from "../../core/artifact.ts";
import { defineCurriculum } from "../../core/curriculum.ts";
import { keyOf } from "../../core/key.ts";
import { defineStage } from "../../core/stage.ts";
import { step } from "../../pipelines/pipeline.ts";
import { keyDifference, readyStep, SourceDigests, stageKeyParts } from "../../pipelines/step-key.ts";
import { Word } from "../fakes/pipeline-stages.ts";
import { fakePlugs, rowsOf } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";

interface Changes {
  readonly version?: number;
  readonly options?: unknown;
  readonly runtime?: Readonly<Record<string, unknown>>;
  readonly plugVersion?: number;
  readonly seed?: number;
  readonly rows?: string;
  readonly content?: string;
  readonly sourceName?: string;
}

async function partsOf(changes: Changes): Promise<StageKeyParts> {
  const root = await temporaryFolder({ "dev.json": changes.content ?? "[]" });
  const stage = defineStage({
    name: "sort",
    version: changes.version ?? 1,
    inputs: { words: Word },
    outputs: { words: Word },
    options: z.strictObject({ curriculum: z.string(), levels: z.int().default(3) }),
    runtime: z.strictObject({ root: z.string(), concurrency: z.int().default(1) }),
    plugs: ({ curriculum }) => [{ kind: "curriculum", id: curriculum }],
    sources: (_, runtime) =>
      Promise.resolve([
        { name: changes.sourceName ?? "dev.json", path: path.join(runtime.root, "dev.json") },
      ]),
    async *run() {},
  });
  const ready = readyStep(
    step({
      id: "sort",
      stage,
      options: changes.options ?? { curriculum: "plain" },
      runtime: { root, ...changes.runtime },
      inputs: { words: { step: "words", port: "words" } },
    }),
  );
  const plug = defineCurriculum({
    id: "plain",
    version: changes.plugVersion ?? 1,
    needsRates: false,
    order: () => [],
  });
  const other = defineCurriculum({ id: "other", version: 1, needsRates: false, order: () => [] });
  return stageKeyParts(
    ready,
    changes.seed ?? 1,
    { words: changes.rows ?? "a".repeat(64) },
    { plugs: fakePlugs([plug, other]), digests: new SourceDigests(), rows: { words: rowsOf([]) } },
  );
}

function manifestOf(parts: StageKeyParts): Manifest {
  return { gradus: 1, ...parts, key: keyOf(parts), outputs: {}, files: [] };
}

describe("stageKeyParts", () => {
  it("names all that decides the rows, and no path", async () => {
    expect(await partsOf({})).toEqual({
      stage: "sort",
      version: 1,
      seed: 1,
      options: { curriculum: "plain", levels: 3 },
      plugs: [{ kind: "curriculum", id: "plain", version: 1 }],
      inputs: { words: "a".repeat(64) },
      // printf '[]' | sha256sum
      sources: [
        { name: "dev.json", sha256: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945" },
      ],
    });
  });

  it("does not depend on the folder, on runtime options, or on whether a default is spelt out", async () => {
    const key = keyOf(await partsOf({}));
    expect(keyOf(await partsOf({}))).toBe(key);
    expect(keyOf(await partsOf({ runtime: { concurrency: 8 } }))).toBe(key);
    expect(keyOf(await partsOf({ options: { levels: 3, curriculum: "plain" } }))).toBe(key);
  });

  it.each<[string, Changes, string[]]>([
    ["the stage's version", { version: 2 }, ["stage version 1 -> 2"]],
    ["an option", { options: { curriculum: "plain", levels: 4 } }, ["options.levels 3 -> 4"]],
    ["a plug's version", { plugVersion: 2 }, ["plugs.curriculum plain 1 -> 2"]],
    ["the seed", { seed: 2 }, ["seed 1 -> 2"]],
    ["the rows it is fed", { rows: "b".repeat(64) }, ["rows of input words changed"]],
    ["the bytes of a file", { content: "[ ]" }, ["file dev.json changed"]],
    ["the name of a file", { sourceName: "test.json" }, ["file test.json is new", "file dev.json is gone"]],
    [
      "another plug",
      { options: { curriculum: "other" } },
      [
        'options.curriculum "plain" -> "other"',
        "plugs.curriculum other null -> 1",
        "plugs.curriculum plain 1 -> null",
      ],
    ],
  ])("depends on %s, and says so", async (_, changes, lines) => {
    const before = await partsOf({});
    const after = await partsOf(changes);
    expect(keyOf(after)).not.toBe(keyOf(before));
    expect(keyDifference(manifestOf(before), after)).toEqual(lines);
  });

  it("finds no difference where there is none", async () => {
    expect(keyDifference(manifestOf(await partsOf({})), await partsOf({}))).toEqual([]);
  });
});

describe("readyStep", () => {
  const stage = defineStage({
    name: "sort",
    version: 1,
    inputs: {},
    outputs: {},
    options: z.strictObject({ levels: z.int().min(1).default(3) }),
    runtime: z.strictObject({ concurrency: z.int() }),
    async *run() {},
  });

  it("reads options and fills defaults in", () => {
    const ready = readyStep(step({ id: "sort", stage, runtime: { concurrency: 1 }, inputs: {} }));
    expect([ready.options, ready.runtime]).toEqual([{ levels: 3 }, { concurrency: 1 }]);
  });

  it.each([
    ["an option", { levels: 0 }, { concurrency: 1 }, /the options of step sort-2 are wrong: [^]*levels/],
    ["an unknown option", { level: 3 }, { concurrency: 1 }, /"level"/],
    ["a runtime option", {}, {}, /the runtime options of step sort-2 are wrong: [^]*concurrency/],
  ])("names the step and %s that is wrong", (_, options, runtime, message) => {
    expect(() => readyStep(step({ id: "sort-2", stage, options, runtime, inputs: {} }))).toThrow(
      expect.objectContaining({
        code: "STAGE_OPTIONS_INVALID",
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });
});

describe("SourceDigests", () => {
  it("reads a file once and says when there is none", async () => {
    const folder = await temporaryFolder({ a: "abc" });
    const file = path.join(folder, "a");
    const digests = new SourceDigests();
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(await digests.of(file)).toBe(abc);
    await writeFile(file, "changed");
    expect(await digests.of(file)).toBe(abc);
    await expect(digests.of(path.join(folder, "none"))).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});
