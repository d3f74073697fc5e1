import { expect, it } from "vitest";
import { QueryReply, ShownCell } from "../../core/sql-runner.ts";

it.each([null, 1, -0.5, "text", { integer: "9007199254740993" }, { real: "-Infinity" }, { blob: "00ff" }])(
  "a cell may be %j",
  (cell) => {
    expect(ShownCell.parse(cell)).toEqual(cell);
  },
);

it.each([true, Number.NaN, Number.POSITIVE_INFINITY, { integer: 1 }, { blob: "00", integer: "1" }, [1]])(
  "a cell may not be %j",
  (cell) => {
    expect(ShownCell.safeParse(cell).success).toBe(false);
  },
);

it("a reply is plain JSON that comes back as it went", () => {
  const execution = {
    status: "ok" as const,
    message: "",
    rows: 3,
    columns: 1,
    digest: "a",
    orderedDigest: "b",
  };
  const reply = { execution, columnNames: ["n"], rows: [[1], [null]] };
  expect(QueryReply.parse(JSON.parse(JSON.stringify(reply)))).toEqual(reply);
});
