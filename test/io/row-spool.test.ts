import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RowSpool } from "../../io/row-spool.ts";

let folder: string;
let before: string | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "row-spool-test-"));
  before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
});

afterEach(async () => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await rm(folder, { recursive: true, force: true });
});

describe("RowSpool", () => {
  it("gives rows back by number, in order, in reverse and while more are added", async () => {
    const spool = await RowSpool.open<{ text: string }>();
    try {
      const texts = ["é\n漢字 𝄞", "", "x".repeat(400_000), "last"];
      for (const [number, text] of texts.entries()) expect(await spool.add({ text })).toBe(number);
      for (const [number, text] of texts.entries()) expect((await spool.get(number)).text).toBe(text);
      for (const number of [3, 2, 1, 0]) expect((await spool.get(number)).text).toBe(texts[number]);
      expect(await spool.add({ text: "later" })).toBe(4);
      expect((await spool.get(4)).text).toBe("later");
      expect(spool.size).toBe(5);
    } finally {
      await spool.close();
    }
  });

  it("reads many small rows in order", async () => {
    const spool = await RowSpool.open<number[]>();
    for (let number = 0; number < 5_000; number += 1) await spool.add([number, number * 2]);
    for (let number = 0; number < 5_000; number += 1) {
      expect(await spool.get(number)).toEqual([number, number * 2]);
    }
    await spool.close();
  });

  it("gives rows to many at once", async () => {
    const spool = await RowSpool.open<number[]>();
    const numbers = Array.from({ length: 3_000 }, (_, place) => (place * 7919) % 3_000);
    for (let number = 0; number < 3_000; number += 1) await spool.add([number, number * 2]);
    const found = await Promise.all([...numbers, 0, 1, 2, 3].map((number) => spool.get(number)));
    expect(found).toEqual([...numbers, 0, 1, 2, 3].map((number) => [number, number * 2]));
    await spool.close();
  });

  it("leaves no file behind, and says when there is no place for one", async () => {
    const spool = await RowSpool.open();
    expect(await readdir(folder)).toHaveLength(1);
    await spool.close();
    expect(await readdir(folder)).toEqual([]);
    process.env["TMPDIR"] = path.join(folder, "absent");
    await expect(RowSpool.open()).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});
