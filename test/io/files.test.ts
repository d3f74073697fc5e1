import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  digestFile,
  exists,
  fileError,
  kindOf,
  listFolder,
  makeFolder,
  move,
  readBytes,
  readText,
  remove,
  systemCode,
  writeWhole,
} from "../../io/files.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

describe("fileError", () => {
  it.each([
    ["ENOENT", "FILE_MISSING"],
    ["ENOSPC", "DISK_FULL"],
    ["EDQUOT", "DISK_FULL"],
    ["EACCES", "FILE_FORBIDDEN"],
    ["EPERM", "FILE_FORBIDDEN"],
    ["EROFS", "FILE_FORBIDDEN"],
    ["EIO", "FILE_FAILED"],
  ])("turns %s into %s, with the file's name and the cause", (system, code) => {
    const cause = Object.assign(new Error("sys"), { code: system });
    const error = fileError("read", "/data/a.json", cause);
    expect(error.code).toBe(code);
    expect(error.message).toContain("/data/a.json");
    expect(error.cause).toBe(cause);
  });

  it("takes what has no code for a failure", () => {
    expect(fileError("read", "a", "broken").code).toBe("FILE_FAILED");
    expect([systemCode({ code: 3 }), systemCode(null), systemCode("ENOENT")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("reading", () => {
  it("says which file is missing, what is a folder and what is forbidden", async () => {
    const folder = await temporaryFolder({ "a/b": "" });
    for (const read of [readBytes, readText, digestFile]) {
      await expect(read(path.join(folder, "none"))).rejects.toMatchObject({
        code: "FILE_MISSING",
        message: `cannot read: there is no file ${path.join(folder, "none")}`,
      });
      await expect(read(path.join(folder, "a"))).rejects.toMatchObject({ code: "FILE_FAILED" });
    }
  });

  it.skipIf(process.getuid?.() === 0)("says what is forbidden", async () => {
    const folder = await temporaryFolder({ secret: "x" });
    chmodSync(path.join(folder, "secret"), 0);
    await expect(readText(path.join(folder, "secret"))).rejects.toMatchObject({ code: "FILE_FORBIDDEN" });
  });

  it("takes a byte order mark off text and leaves the bytes alone", async () => {
    const folder = await temporaryFolder({ a: "\uFEFFé" });
    expect(await readText(path.join(folder, "a"))).toBe("é");
    expect([...(await readBytes(path.join(folder, "a")))]).toEqual([0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
  });

  it("digests a file longer than its buffer", async () => {
    const folder = await temporaryFolder({ abc: "abc", empty: "", long: "a".repeat(3_000_000) });
    expect(await digestFile(path.join(folder, "abc"))).toEqual({
      bytes: 3,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
    expect((await digestFile(path.join(folder, "empty"))).bytes).toBe(0);
    // head -c 3000000 /dev/zero | tr '\0' a | sha256sum
    expect(await digestFile(path.join(folder, "long"))).toEqual({
      bytes: 3_000_000,
      sha256: "2a152c894398719c0570f83fac34ac03a0f6e8e474b995c2403aa5434f7b9dd4",
    });
  });
});

describe("folders", () => {
  it("are told from files, and list their names by code unit", async () => {
    const folder = await temporaryFolder({ b: "", B: "", "a/x": "", é: "" });
    expect(await listFolder(folder)).toEqual(["B", "a", "b", "é"]);
    expect(await listFolder(path.join(folder, "none"))).toEqual([]);
    await expect(listFolder(path.join(folder, "b"))).rejects.toMatchObject({ code: "FILE_FAILED" });
    const kinds = ["a", "b", "none", "b/below-a-file"].map((name) => kindOf(path.join(folder, name)));
    expect(await Promise.all(kinds)).toEqual(["folder", "file", "missing", "missing"]);
    expect([await exists(path.join(folder, "a")), await exists(path.join(folder, "none"))]).toEqual([
      true,
      false,
    ]);
  });

  it("are made with those above, moved, and removed with all in them", async () => {
    const folder = await temporaryFolder({ file: "x" });
    const deep = path.join(folder, "a/b/c");
    await makeFolder(deep);
    await makeFolder(deep);
    await move(path.join(folder, "a"), path.join(folder, "moved"));
    expect(await kindOf(path.join(folder, "moved/b/c"))).toBe("folder");
    await remove(path.join(folder, "moved"));
    await remove(path.join(folder, "moved"));
    expect(await listFolder(folder)).toEqual(["file"]);
    await expect(makeFolder(path.join(folder, "file/below"))).rejects.toMatchObject({ code: "FILE_FAILED" });
    await expect(move(path.join(folder, "none"), deep)).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});

describe("writeWhole", () => {
  it("makes the folders above and replaces what was there", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a/b.json");
    await writeWhole(file, "first and longer");
    await writeWhole(file, new TextEncoder().encode("second"));
    expect(await filesBelow(folder)).toEqual({ "a/b.json": "second" });
  });

  it.skipIf(!existsSync("/dev/full"))(
    "keeps the old file and leaves nothing half-written when the disk is full",
    async () => {
      const folder = await temporaryFolder({ "a.json": "old" });
      symlinkSync("/dev/full", path.join(folder, "a.json.partial"));
      await expect(writeWhole(path.join(folder, "a.json"), "new")).rejects.toMatchObject({
        code: "DISK_FULL",
      });
      expect(await listFolder(folder)).toEqual(["a.json"]);
      expect(await readFile(path.join(folder, "a.json"), "utf8")).toBe("old");
    },
  );

  it("leaves nothing half-written when it cannot put the file in its place", async () => {
    const folder = await temporaryFolder();
    mkdirSync(path.join(folder, "taken"));
    await expect(writeWhole(path.join(folder, "taken"), "x")).rejects.toMatchObject({ code: "FILE_FAILED" });
    expect(await listFolder(folder)).toEqual(["taken"]);
  });
});
