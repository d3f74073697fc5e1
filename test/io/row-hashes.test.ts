import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { RowHashes, rememberRowHashes, rowHashesOf } from "../../io/row-hashes.ts";
import { unnamed } from "../curation/metrics/judged-pair.ts";

function hashesOf(added: Iterable<string>, columns = 1): RowHashes {
  const hashes = new RowHashes(columns);
  for (const key of added) hashes.add(key);
  return hashes;
}

/** Keys of the integers from 0, of which every one below `repeated` comes twice. */
function keys(count: number, repeated = 0): string[] {
  return [
    ...Array.from({ length: count }, (_, index) => `i${index};`),
    ...Array.from({ length: repeated }, (_, index) => `i${index};`),
  ];
}

describe("RowHashes", () => {
  it("tells sets apart, whatever their order and repetitions", () => {
    const many = hashesOf(keys(70_000));
    expect(many.count).toBe(70_000);
    expect(many.hasSameSet(hashesOf(keys(70_000, 5).reverse()))).toBe(true);
    expect(hashesOf(keys(70_000, 5)).hasSameSet(many)).toBe(true);
    expect(many.hasSameSet(hashesOf(keys(69_999)))).toBe(false);
    expect(many.hasSameSet(hashesOf(keys(70_001)))).toBe(false);
    expect(many.hasSameSet(hashesOf([...keys(69_999), "i70000;"]))).toBe(false);
    expect(hashesOf([]).hasSameSet(hashesOf([]))).toBe(true);
    expect(hashesOf([]).hasSameSet(hashesOf(["n"]))).toBe(false);
  });

  it("compares with a stream of keys, and stops at the first that is strange", () => {
    const many = hashesOf(keys(1000, 3));
    expect(many.hasSameSetAs(keys(1000, 7).reverse())).toBe(true);
    expect(many.hasSameSetAs(keys(999))).toBe(false);
    let read = 0;
    function* strange(): Generator<string> {
      for (const key of ["i1;", "n", "i2;"]) {
        read += 1;
        yield key;
      }
    }
    expect(many.hasSameSetAs(strange())).toBe(false);
    expect(read).toBe(2);
    expect(hashesOf([]).hasSameSetAs([])).toBe(true);
  });

  it("digests rows as a multiset and in their order", () => {
    const there = hashesOf(["i1;", "i2;", "i2;"]).digests();
    const back = hashesOf(["i2;", "i2;", "i1;"]).digests();
    expect(back.digest).toBe(there.digest);
    expect(back.orderedDigest).not.toBe(there.orderedDigest);
    expect(hashesOf(["i1;", "i2;"]).digests().digest).not.toBe(there.digest);
    expect(hashesOf(["i1;", "i2;", "i2;"], 2).digests().digest).not.toBe(there.digest);
    const long = "t70000:".padEnd(70_007, "é");
    const text = `1|i1;${long}i2;`;
    expect(hashesOf(["i1;", long, "i2;"]).digests().orderedDigest).toBe(
      createHash("sha256").update(text).digest("hex").slice(0, 32),
    );
  });
});

describe("rowHashesOf", () => {
  it("gives what was remembered of a table", () => {
    const table = unnamed([[1n]]);
    expect(rowHashesOf(table)).toBeUndefined();
    const hashes = hashesOf(["i1;"]);
    rememberRowHashes(table, hashes);
    expect(rowHashesOf(table)).toBe(hashes);
  });
});
