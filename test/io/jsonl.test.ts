import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readJsonLines, readLines, RowWriter } from "../../io/jsonl.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function linesOf(content: string): Promise<string[]> {
  const folder = await temporaryFolder({ "a.txt": content });
  return (await gather(readLines(path.join(folder, "a.txt")))).map(({ text, line }) => `${line} ${text}`);
}

describe("readLines", () => {
  it("ends lines at a line feed, with or without a carriage return before it, and nowhere else", async () => {
    expect(await linesOf("a\nb\r\n\nc\rd\u2028e\u2029f\u0085g")).toEqual([
      "1 a",
      "2 b",
      "3 ",
      "4 c\rd\u2028e\u2029f\u0085g",
    ]);
  });

  it("takes a byte order mark off, and a last line without an end", async () => {
    expect(await linesOf("\uFEFFa\n\uFEFFb")).toEqual(["1 a", "2 \uFEFFb"]);
    expect(await linesOf("")).toEqual([]);
    expect(await linesOf("\n")).toEqual(["1 "]);
  });

  it("reads lines longer than its buffer, and ends and letters that its buffer cuts", async () => {
    const long = "é".repeat(300_000);
    const edge = "x".repeat((1 << 18) - 1);
    expect(await linesOf(`${long}\n${long}y`)).toEqual([`1 ${long}`, `2 ${long}y`]);
    expect(await linesOf(`${edge}\r\nz`)).toEqual([`1 ${edge}`, "2 z"]);
    expect(await linesOf(`${edge.slice(1)}\r\nz`)).toEqual([`1 ${edge.slice(1)}`, "2 z"]);
  });

  it("says which file is missing, and which is none", async () => {
    const folder = await temporaryFolder();
    await expect(gather(readLines(path.join(folder, "none")))).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
    await expect(gather(readLines(folder))).rejects.toMatchObject({ code: "FILE_FAILED" });
  });

  it("may be left early", async () => {
    const folder = await temporaryFolder({ a: "1\n2\n3\n" });
    for await (const { text } of readLines(path.join(folder, "a"))) {
      expect(text).toBe("1");
      break;
    }
  });

  it("lets an error of the reader through as it is", async () => {
    const folder = await temporaryFolder({ a: "1\n" });
    const read = async (): Promise<void> => {
      for await (const { text } of readLines(path.join(folder, "a"))) throw new RangeError(text);
    };
    await expect(read()).rejects.toBeInstanceOf(RangeError);
  });
});

describe("readJsonLines", () => {
  it("reads one value a line and passes over blank lines", async () => {
    const folder = await temporaryFolder({ "a.jsonl": '{"a":"\u2028"}\n\n  \n[1]\r\nnull' });
    expect(await gather(readJsonLines(path.join(folder, "a.jsonl")))).toEqual([
      { value: { a: "\u2028" }, line: 1, text: '{"a":"\u2028"}' },
      { value: [1], line: 4, text: "[1]" },
      { value: null, line: 5, text: "null" },
    ]);
  });

  it("says where a file is cut off", async () => {
    const folder = await temporaryFolder({ "a.jsonl": '{"a":1}\n{"a":' });
    const file = path.join(folder, "a.jsonl");
    await expect(gather(readJsonLines(file))).rejects.toMatchObject({
      code: "JSONL_MALFORMED",
      site: { file, line: 2 },
    });
  });
});

describe("RowWriter", () => {
  it("writes canonical rows, and counts and digests them", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "rows.jsonl");
    const writer = await RowWriter.open(file);
    await writer.add({ b: 1, a: "é" });
    await writer.add([2.0]);
    // printf '{"a":"é","b":1}\n[2]\n' | sha256sum
    expect(await writer.finish()).toEqual({
      rows: 2,
      digest: "3e9c95c03fd47078d47fd46dbb2a6d79dd4f34c9d3f35e811d88b7dbed912b50",
    });
    expect(await readFile(file, "utf8")).toBe('{"a":"é","b":1}\n[2]\n');
  });

  it("refuses a row that is not JSON", async () => {
    const folder = await temporaryFolder();
    const writer = await RowWriter.open(path.join(folder, "rows.jsonl"));
    await expect(writer.add({ a: Number.NaN })).rejects.toMatchObject({ code: "KEY_NOT_JSON" });
    await writer.abandon();
  });

  it.skipIf(!existsSync("/dev/full"))("says that the disk is full, and may be abandoned then", async () => {
    const writer = await RowWriter.open("/dev/full");
    await writer.add({ a: 1 });
    await expect(writer.finish()).rejects.toMatchObject({ code: "DISK_FULL" });
    await writer.abandon();
  });
});
