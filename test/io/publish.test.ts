import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import { listFolder } from "../../io/files.ts";
import { publishFolder } from "../../io/publish.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

async function artifact(files: Readonly<Record<string, string>>, seed = 1): Promise<Artifact> {
  const parts = { stage: "export", version: 1, seed, options: {}, plugs: [], inputs: {}, sources: [] };
  const unfinished = await new ArtifactStore(await temporaryFolder()).begin("export", parts, []);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(unfinished.filesFolder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return unfinished.seal();
}

async function names(folder: string): Promise<string[]> {
  return Object.keys(await filesBelow(folder));
}

describe("publishFolder", () => {
  it("shows the files with the manifest, in folders as they were", async () => {
    const run = await temporaryFolder();
    const target = path.join(run, "shards/verl-rl");
    const made = await artifact({ "train.parquet": "T", "card/README.md": "R" });
    await publishFolder(made, target);
    const shown = await filesBelow(target);
    expect(shown["train.parquet"]).toBe("T");
    expect(shown["card/README.md"]).toBe("R");
    expect(JSON.parse(shown["manifest.json"] ?? "")).toEqual(made.manifest);
    expect(await listFolder(path.join(run, "shards"))).toEqual(["verl-rl"]);
  });

  it("replaces the whole folder, leaving nothing of the one before or of one that was cut off", async () => {
    const run = await temporaryFolder();
    const target = path.join(run, "shards");
    await publishFolder(await artifact({ "train-0.jsonl": "1", "train-1.jsonl": "2" }), target);
    await mkdir(`${target}.partial`);
    await writeFile(path.join(`${target}.partial`, "half.jsonl"), "x");
    await mkdir(`${target}.previous`);
    await publishFolder(await artifact({ "train-0.jsonl": "3" }, 2), target);
    expect(await names(target)).toEqual(["manifest.json", "train-0.jsonl"]);
    expect((await filesBelow(target))["train-0.jsonl"]).toBe("3");
    expect(await listFolder(run)).toEqual(["shards"]);
  });

  it("shows an artifact again when a file of it was removed or changed", async () => {
    const target = path.join(await temporaryFolder(), "shards");
    const made = await artifact({ "a.jsonl": "1", "b.jsonl": "2" });
    await publishFolder(made, target);
    await rm(path.join(target, "a.jsonl"));
    await writeFile(path.join(target, "b.jsonl"), "3");
    await publishFolder(made, target);
    expect(await filesBelow(target)).toMatchObject({ "a.jsonl": "1", "b.jsonl": "2" });
  });

  it("does nothing when the artifact is there, whatever else lies beside its files", async () => {
    const target = path.join(await temporaryFolder(), "shards");
    const made = await artifact({ "a.jsonl": "1" });
    await publishFolder(made, target);
    await writeFile(path.join(target, "note.txt"), "mine");
    await publishFolder(made, target);
    expect(await names(target)).toEqual(["a.jsonl", "manifest.json", "note.txt"]);
  });

  it("keeps what was shown when the artifact has lost a file", async () => {
    const target = path.join(await temporaryFolder(), "shards");
    await publishFolder(await artifact({ "a.jsonl": "1" }), target);
    const broken = await artifact({ "a.jsonl": "2" }, 2);
    await rm(path.join(broken.folder, "files/a.jsonl"));
    await expect(publishFolder(broken, target)).rejects.toMatchObject({ code: "FILE_MISSING" });
    expect((await filesBelow(target))["a.jsonl"]).toBe("1");
  });
});
