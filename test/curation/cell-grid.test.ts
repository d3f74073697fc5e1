import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../core/execution.ts";
import { CellNumbers, findCells, numberCells } from "../../curation/cell-grid.ts";

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

describe("CellNumbers", () => {
  it.each<[string, Cell, Cell]>([
    ["an integer and a real", 1n, 1],
    ["both zeros", 0n, -0],
    ["a large integer and a real", 1n << 40n, 2 ** 40],
    ["an integer beyond 53 bits and a real", 1n << 60n, 2 ** 60],
    ["infinities", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["NULLs", null, null],
    ["texts", "é", "é"],
    ["blobs", bytes(1, 2), bytes(1, 2)],
    ["texts that are not UTF-8", new InvalidText(bytes(255)), new InvalidText(bytes(255))],
  ])("are one for %s of one value", (_name, first, second) => {
    const numbers = new CellNumbers();
    expect(numbers.numberOf(first)).toBe(numbers.numberOf(second));
  });

  it("are different for cells that are", () => {
    const cells: Cell[] = [
      null,
      0n,
      1n,
      2n,
      3n,
      -1n,
      "",
      "1",
      "n",
      "null",
      "i1;",
      "i9007199254740993;",
      0.5,
      1.5,
      (1n << 29n) - 1n,
      1n << 29n,
      (1n << 30n) - 1n,
      1n << 30n,
      -(1n << 30n),
      -(1n << 30n) - 1n,
      1n << 31n,
      1n << 32n,
      9_007_199_254_740_992,
      9_007_199_254_740_993n,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      bytes(),
      bytes(49),
      new InvalidText(bytes(49)),
    ];
    const numbers = new CellNumbers();
    expect(new Set(cells.map((cell) => numbers.numberOf(cell))).size).toBe(cells.length);
    expect(cells.map((cell) => numbers.find(cell))).toEqual(cells.map((cell) => numbers.numberOf(cell)));
    expect(numbers.find("another")).toBeUndefined();
  });
});

describe("findCells", () => {
  const rows: Cell[][] = [
    ["a", 1n],
    ["b", null],
  ];
  const numbers = new CellNumbers();
  const grid = numberCells(rows, 2, numbers);

  it("gives equal cells the numbers of the first result", () => {
    expect(
      findCells(
        [
          ["b", null],
          [1, "a"],
        ],
        grid,
        numbers,
      ),
    ).toEqual({
      rows: 2,
      columns: [
        Int32Array.of(grid.columns[0]?.[1] as number, grid.columns[1]?.[0] as number),
        Int32Array.of(grid.columns[1]?.[1] as number, grid.columns[0]?.[0] as number),
      ],
    });
  });

  it("stops at a row too many and at a cell without a number", () => {
    let read = 0;
    function* endless(text: string): Generator<Cell[]> {
      for (;;) {
        read += 1;
        yield [text, null];
      }
    }
    expect(findCells(endless("a"), grid, numbers)).toBeUndefined();
    expect(read).toBe(3);
    expect(findCells(endless("c"), grid, numbers)).toBeUndefined();
    expect(read).toBe(4);
    expect(findCells([["a", null]], grid, numbers)).toBeUndefined();
  });

  it("reads results of any length, held or streamed", () => {
    const long: Cell[][] = Array.from({ length: 2_500 }, (_, index) => [
      BigInt(index) << 31n,
      `${index % 9}`,
    ]);
    const known = new CellNumbers();
    const like = numberCells(long, 2, known);
    expect(findCells(long, like, known)).toEqual(like);
    expect(findCells(long.values(), like, known)).toEqual(like);
    expect(findCells(long.slice(1), like, known)).toBeUndefined();
    expect(findCells([...long, long[0] as Cell[]], like, known)).toBeUndefined();
    expect(findCells(long.with(2_499, ["new", "0"]), like, known)).toBeUndefined();
  });
});
