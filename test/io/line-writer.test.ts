import { mkdtemp, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineWriter } from "../../io/line-writer.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gradus-lines-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("LineWriter", () => {
  it("writes lines and counts them and their bytes", async () => {
    const writer = await LineWriter.open(path.join(folder, "a"));
    await writer.add("é");
    await writer.add("");
    await writer.add("abc");
    expect(await writer.finish()).toEqual({ lines: 3, bytes: 8, longestLineBytes: 4 });
    expect(await readFile(path.join(folder, "a"), "utf8")).toBe("é\n\nabc\n");
  });

  it("leaves an empty file for no lines", async () => {
    const writer = await LineWriter.open(path.join(folder, "b"));
    expect(await writer.finish()).toEqual({ lines: 0, bytes: 0, longestLineBytes: 0 });
    expect(await readFile(path.join(folder, "b"), "utf8")).toBe("");
  });

  it("writes lines longer than its buffer in order", async () => {
    const writer = await LineWriter.open(path.join(folder, "c"));
    const lines = ["x".repeat(300_000), "y", "z".repeat(700_000)];
    for (const line of lines) await writer.add(line);
    await writer.finish();
    expect(await readFile(path.join(folder, "c"), "utf8")).toBe(`${lines.join("\n")}\n`);
  });

  it("says that a folder is missing", async () => {
    await expect(LineWriter.open(path.join(folder, "none", "d"))).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
  });

  it.skipIf(!existsSync("/dev/full"))("says that the disk is full", async () => {
    const writer = await LineWriter.open("/dev/full");
    await writer.add("x");
    await expect(writer.finish()).rejects.toMatchObject({ code: "DISK_FULL" });
    await writer.abandon();
  });
});
