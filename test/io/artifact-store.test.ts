import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StageKeyParts } from "../../core/artifact.ts";
import { keyOf } from "../../core/key.ts";
import { type Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

const Row = z.strictObject({ id: z.int(), reason: z.string().optional() });
const PARTS: StageKeyParts = {
  stage: "count",
  version: 1,
  seed: 1,
  options: { limit: 2 },
  plugs: [],
  inputs: {},
  sources: [],
};
const KEY = keyOf(PARTS);

async function make(store: ArtifactStore): Promise<Artifact> {
  const unfinished = await store.begin("count", PARTS, ["rows", "rejects"]);
  await unfinished.add("rows", { id: 1, reason: "wrong" }, "wrong");
  await unfinished.add("rows", { reason: "empty", id: 2 }, "empty");
  await unfinished.add("rows", { id: 3, reason: "wrong" }, "wrong");
  await writeFile(path.join(unfinished.filesFolder, "b.txt"), "abc");
  await writeFile(path.join(unfinished.filesFolder, "a.txt"), "");
  return unfinished.seal();
}

async function gather<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe("a finished artifact", () => {
  it("has its rows, groups and files in its manifest", async () => {
    const root = await temporaryFolder();
    const { manifest, folder } = await make(new ArtifactStore(root));
    expect(folder).toBe(path.join(root, "count", KEY));
    expect(manifest).toEqual({
      gradus: 1,
      ...PARTS,
      key: KEY,
      outputs: {
        rows: {
          rows: 3,
          // printf '{"id":1,"reason":"wrong"}\n{"id":2,"reason":"empty"}\n{"id":3,"reason":"wrong"}\n' | sha256sum
          digest: "4630dd96dcc49da0075dd3c50302bada235f8a4c81b0744477dfbafb2c975071",
          groups: { empty: 1, wrong: 2 },
        },
        rejects: {
          rows: 0,
          digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          groups: {},
        },
      },
      files: [
        {
          path: "a.txt",
          bytes: 0,
          sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        },
        {
          path: "b.txt",
          bytes: 3,
          sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        },
      ],
    });
    expect(Object.keys(await filesBelow(folder))).toEqual([
      "files/a.txt",
      "files/b.txt",
      "manifest.json",
      "rejects.jsonl",
      "rows.jsonl",
    ]);
  });

  it("is found under its step and key alone, and its rows come back frozen", async () => {
    const store = new ArtifactStore(await temporaryFolder());
    const made = await make(store);
    const found = await store.find("count", KEY);
    expect(found).toEqual(made);
    expect(await store.find("count", "0".repeat(64))).toBeUndefined();
    expect(await store.find("other", KEY)).toBeUndefined();
    const rows = await gather(store.rows(made, "rows", Row));
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(Object.isFrozen(rows[0])).toBe(true);
    expect(await gather(store.rows(made, "rejects", Row))).toEqual([]);
  });

  it("is the same bytes wherever it is made", async () => {
    const [one, two] = [await temporaryFolder(), await temporaryFolder()];
    await make(new ArtifactStore(one));
    await make(new ArtifactStore(two));
    const files = await filesBelow(one);
    expect(await filesBelow(two)).toEqual(files);
    expect(JSON.stringify(files)).not.toContain(one);
  });
});

describe("an unfinished artifact", () => {
  it("is not found, and is made anew from nothing", async () => {
    const root = await temporaryFolder();
    const store = new ArtifactStore(root);
    const dead = await store.begin("count", PARTS, ["rows", "old"]);
    await dead.add("rows", { id: 99 }, undefined);
    await writeFile(path.join(dead.filesFolder, "left-over.txt"), "x");
    expect(await store.find("count", KEY)).toBeUndefined();
    const made = await make(store);
    expect(made.manifest.outputs["rows"]?.rows).toBe(3);
    expect(Object.keys(await filesBelow(made.folder))).not.toContain("files/left-over.txt");
    expect(Object.keys(await filesBelow(made.folder))).not.toContain("old.jsonl");
    await dead.abandon();
  });

  it("leaves nothing when it is abandoned", async () => {
    const root = await temporaryFolder();
    const unfinished = await new ArtifactStore(root).begin("count", PARTS, ["rows"]);
    await unfinished.add("rows", { id: 1 }, undefined);
    await unfinished.abandon();
    expect(await filesBelow(root)).toEqual({});
  });

  it("refuses a port that it does not have", async () => {
    const unfinished = await new ArtifactStore(await temporaryFolder()).begin("count", PARTS, ["rows"]);
    await expect(unfinished.add("row", { id: 1 }, undefined)).rejects.toMatchObject({
      code: "STAGE_PORT_UNKNOWN",
      message: "step count wrote to port row, expected one of rows",
    });
    await unfinished.abandon();
  });
});

describe("a damaged artifact", () => {
  it.each([
    ["is not JSON", "{"],
    ["is another JSON", "[]"],
    ["is of another key", `{"key":"${"0".repeat(64)}"}`],
  ])("is refused when its manifest %s", async (_, text) => {
    const store = new ArtifactStore(await temporaryFolder());
    const { folder } = await make(store);
    await writeFile(path.join(folder, "manifest.json"), text);
    await expect(store.find("count", KEY)).rejects.toMatchObject({
      code: "ARTIFACT_DAMAGED",
      hint: `remove the folder ${folder} and run again: the step will be made anew`,
    });
  });

  it("is refused when its manifest was moved to another key", async () => {
    const store = new ArtifactStore(await temporaryFolder());
    const { folder } = await make(store);
    const other = await store.begin("count", { ...PARTS, seed: 2 }, ["rows"]);
    const { manifest } = await other.seal();
    const text = await readFile(path.join(folder, "manifest.json"), "utf8");
    await writeFile(path.join(store.folderOf("count", manifest.key), "manifest.json"), text);
    await expect(store.find("count", manifest.key)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
  });

  it.each([
    ["a row lost", '{"id":1}\n{"id":2}\n', "got 2 rows, expected 3", undefined],
    ["a row too many", '{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n', "got 4 rows, expected 3", undefined],
    ["a row of another shape", '{"id":1}\n{"id":"2"}\n{"id":3}\n', "id", 2],
    ["a row cut off", '{"id":1}\n{"id":2}\n{"id":', "line 3 is not JSON", 3],
  ])("is refused with its place for %s", async (_, text, message, line) => {
    const store = new ArtifactStore(await temporaryFolder());
    const made = await make(store);
    const file = path.join(made.folder, "rows.jsonl");
    await writeFile(file, text);
    const thrown: unknown = await gather(store.rows(made, "rows", Row)).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: "ARTIFACT_DAMAGED",
      site: line === undefined ? { file } : { file, line },
    });
    expect((thrown as Error).message).toContain(message);
  });

  it("is refused when a file of rows is gone", async () => {
    const store = new ArtifactStore(await temporaryFolder());
    const made = await make(store);
    await rm(path.join(made.folder, "rows.jsonl"));
    await expect(gather(store.rows(made, "rows", Row))).rejects.toMatchObject({
      code: "ARTIFACT_DAMAGED",
      hint: `remove the folder ${made.folder} and run again`,
    });
  });
});
