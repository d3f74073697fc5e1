import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../core/execution.ts";
import { ShownCell } from "../../core/sql-runner.ts";
import { shownCell, shownReply } from "../../io/shown-cells.ts";

const TERN = "\u{1F426}";

describe("a cell", () => {
  it.each<[string, Cell, ShownCell]>([
    ["nothing", null, null],
    ["a small integer", 42n, 42],
    ["the largest that is exact", 9007199254740991n, 9007199254740991],
    ["an integer beyond", 9007199254740992n, { integer: "9007199254740992" }],
    ["the least of all", -9223372036854775808n, { integer: "-9223372036854775808" }],
    ["a number", 0.1, 0.1],
    ["infinity", Infinity, { real: "Infinity" }],
    ["its opposite", -Infinity, { real: "-Infinity" }],
    ["text as long as may be", "abcdef", "abcdef"],
    ["longer text", "abcdefg", "abcdef…"],
    ["text that would be cut inside a character", `abcde${TERN}`, "abcde…"],
    ["text that ends in a whole character", `abcd${TERN}f`, `abcd${TERN}…`],
    ["text that is not UTF-8", new InvalidText(Buffer.from("636166e9", "hex")), "caf\u{FFFD}"],
    ["the same, too long", new InvalidText(Buffer.from("e9".repeat(9), "hex")), `${"\u{FFFD}".repeat(6)}…`],
    ["bytes", Buffer.from("00ff10", "hex"), { blob: "00ff10" }],
    ["more bytes", Buffer.from("00ff1020", "hex"), { blob: "00ff10…" }],
    ["no bytes", Buffer.alloc(0), { blob: "" }],
  ])("of %s is plain JSON", (_name, cell, shown) => {
    const got = shownCell(cell, 6);
    expect(got).toEqual(shown);
    expect(ShownCell.parse(JSON.parse(JSON.stringify(got)))).toEqual(shown);
  });
});

it("a reply has the names of its columns cut like cells", () => {
  const execution = {
    status: "empty",
    message: "",
    rows: 0,
    columns: 1,
    digest: "d",
    orderedDigest: "o",
  } as const;
  const table = { execution, columnNames: ["n".repeat(900_000)], rows: [], stream: () => [] };
  expect(shownReply(table, 2, 5).columnNames).toEqual(["nnnnn…"]);
});

it("a reply has the first rows and counts all of them", () => {
  const execution = {
    status: "ok",
    message: "",
    rows: 3,
    columns: 2,
    digest: "d",
    orderedDigest: "o",
  } as const;
  const rows: Cell[][] = [
    [1n, "first"],
    [2n, "second"],
    [3n, null],
  ];
  const table = { execution, columnNames: ["id", "name"], rows, stream: () => rows };
  expect(shownReply(table, 2, 5)).toEqual({
    execution,
    columnNames: ["id", "name"],
    rows: [
      [1, "first"],
      [2, "secon…"],
    ],
  });
  expect(shownReply(table, 0, 5).rows).toEqual([]);
});
