import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ShardColumn } from "../../core/shard.ts";
import { digestFile } from "../../io/files.ts";
import { describeParquet, readParquet, writeParquet } from "../../io/parquet.ts";

const NESTED: readonly ShardColumn[] = [
  { name: "id", type: "int64" },
  { name: "text", type: "string" },
  { name: "score", type: "float64" },
  { name: "flag", type: "bool" },
  { name: "tags", type: { list: "string" } },
  {
    name: "messages",
    type: { list: { struct: { role: "string", calls: { list: { struct: { name: "string" } } } } } },
  },
  { name: "deep", type: { struct: { inner: { struct: { n: "int64", "odd \"name'": "string" } } } } },
];

function nestedRow(id: number | bigint, text: string) {
  return {
    id,
    text,
    score: 0.5,
    flag: true,
    tags: [text, ""],
    messages: [
      { role: "a", calls: [] },
      { role: text, calls: [{ name: "x" }, { name: text }] },
    ],
    deep: { inner: { n: -1, "odd \"name'": text } },
  };
}

function* brokenRows() {
  yield { text: "ok" };
  throw new Error("no more");
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gradus-parquet-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function roundTrip(columns: readonly ShardColumn[], rows: readonly Record<string, unknown>[]) {
  const file = path.join(folder, "round-trip.parquet");
  expect(await writeParquet(file, columns, rows)).toEqual({ rows: rows.length });
  const read: Record<string, unknown>[] = [];
  for await (const row of readParquet(file)) read.push(row);
  return read;
}

describe("writeParquet", () => {
  it("round-trips nested rows in their order", async () => {
    const rows = [
      "z",
      "naïve 日本語 \u{1F600}",
      "",
      "\u0001\u007f\u2028\n\r\t\"\\'",
      "2020-01-01",
      "null",
      "{}",
    ].map((text, index) => nestedRow(100 - index, text));
    expect(await roundTrip(NESTED, rows)).toEqual(rows);
  });

  it("keeps NUL inside text", async () => {
    const rows = [nestedRow(1, "a\u0000b"), nestedRow(2, "\u0000")];
    expect(await roundTrip(NESTED, rows)).toEqual(rows);
  });

  it("keeps a byte order mark at the start of text", async () => {
    const file = path.join(folder, "mark.parquet");
    await writeParquet(file, [{ name: "text", type: "string" }], [{ text: "\uFEFFx" }]);
    expect((await readFile(file)).includes(Buffer.from("\uFEFFx", "utf8"))).toBe(true);
  });

  it("keeps integers over the range of int64 and floats to the last bit", async () => {
    const columns: ShardColumn[] = [
      { name: "i", type: "int64" },
      { name: "f", type: "float64" },
    ];
    const rows = [
      { i: 2n ** 63n - 1n, f: 0.1 },
      { i: -(2n ** 63n), f: Number.MAX_VALUE },
      { i: 2n ** 53n + 1n, f: Number.MIN_VALUE },
      { i: Number.MAX_SAFE_INTEGER, f: 1 },
      { i: 0, f: 1e21 },
    ];
    expect(await roundTrip(columns, rows)).toEqual(rows);
  });

  it("types columns by declaration when there are no rows, or only empty lists", async () => {
    const file = path.join(folder, "empty.parquet");
    await writeParquet(file, NESTED, []);
    expect(await describeParquet(file)).toEqual(NESTED);
    await writeParquet(file, [{ name: "l", type: { list: { struct: { a: "int64" } } } }], [{ l: [] }]);
    expect(await describeParquet(file)).toEqual([{ name: "l", type: { list: { struct: { a: "int64" } } } }]);
  });

  it("takes cells of 1 MB and one of 10 MB", async () => {
    const columns: ShardColumn[] = [{ name: "text", type: "string" }];
    const sizes = [1_000_000, 1, 10_000_000, 1_000_000];
    const read = await roundTrip(
      columns,
      sizes.map((size) => ({ text: "é".repeat(size / 2) })),
    );
    expect(read.map((row) => (row["text"] as string).length)).toEqual([500_000, 0, 5_000_000, 500_000]);
  });

  it("writes the same bytes whatever the cores and however the rows arrive", async () => {
    const rows = Array.from({ length: 9000 }, (_, index) =>
      nestedRow((index * 7919) % 9000, `row ${index} `.repeat(40)),
    );
    async function* slowly() {
      for (const row of rows) yield await Promise.resolve(row);
    }
    const digests = new Set<string>();
    for (const [name, source] of [
      ["one", rows],
      ["two", slowly()],
    ] as const) {
      const file = path.join(folder, `${name}.parquet`);
      await writeParquet(file, NESTED, source);
      digests.add((await digestFile(file)).sha256);
    }
    // Pinned, so that a machine of another number of cores would show.
    expect([...digests]).toEqual(["911e85422d5b13c4e51372df2a73eebbf2df89f7d44dc36a1dda010354b90494"]);
  });

  it("names the row that it cannot hold and leaves nothing behind", async () => {
    const home = path.join(folder, "refused");
    await mkdir(home);
    const columns: ShardColumn[] = [{ name: "text", type: "string" }];
    await expect(
      writeParquet(path.join(home, "x.parquet"), columns, [{ text: "ok" }, { text: "\uD83D" }]),
    ).rejects.toMatchObject({
      code: "EXPORT_ROW_UNSUPPORTED",
      site: { rowId: "1" },
      message: "cannot write row 1 to Parquet: text holds a lone surrogate, expected valid Unicode",
    });
    expect(await readdir(home)).toEqual([]);
  });

  it("passes on what its rows throw and leaves nothing behind", async () => {
    const home = path.join(folder, "broken");
    await mkdir(home);
    const writing = writeParquet(
      path.join(home, "x.parquet"),
      [{ name: "text", type: "string" }],
      brokenRows(),
    );
    await expect(writing).rejects.toThrow("no more");
    expect(await readdir(home)).toEqual([]);
  });

  it("takes folders whose names SQL or patterns would read otherwise", async () => {
    for (const name of ["it's", "a[x]b*", "q?", 'quo"te', "日本"]) {
      const file = path.join(folder, name, "x.parquet");
      await mkdir(path.dirname(file));
      await writeParquet(file, [{ name: "text", type: "string" }], [{ text: name }]);
      const read: unknown[] = [];
      for await (const row of readParquet(file)) read.push(row);
      expect(read).toEqual([{ text: name }]);
    }
  });

  it.skipIf(process.getuid?.() === 0)("says that a folder is read-only", async () => {
    const home = path.join(folder, "read-only");
    await mkdir(home);
    await chmod(home, 0o500);
    await expect(writeParquet(path.join(home, "x.parquet"), [], [])).rejects.toMatchObject({
      code: "FILE_FORBIDDEN",
    });
  });
});

describe("readParquet and describeParquet", () => {
  it("say that a file is missing or broken", async () => {
    const missing = path.join(folder, "none.parquet");
    await expect(describeParquet(missing)).rejects.toMatchObject({ code: "FILE_MISSING" });
    const broken = path.join(folder, "broken.parquet");
    await writeFile(broken, "not Parquet at all");
    await expect(describeParquet(broken)).rejects.toMatchObject({ code: "PARQUET_FAILED" });
    await expect(readParquet(broken).next()).rejects.toMatchObject({ code: "PARQUET_FAILED" });
  });
});
