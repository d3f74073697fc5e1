import { describe, expect, it } from "vitest";
import mSchema from "../../../datasets/schema-dialects/m-schema.ts";
import { CLUB, CLUB_PROFILE, clubDatabase, column } from "../club-database.ts";

function columnLines(type: string, values: readonly string[], retrieved: readonly string[] = []): string {
  const tables = [{ name: "t", comment: "", columns: [column("a", type)] }];
  const text = mSchema.render(clubDatabase({ tables }, [{ table: "t", column: "a", values: [...values] }]), {
    profile: null,
    retrieved: [{ table: "t", column: "a", values: [...retrieved] }],
  });
  return text.split("\n").slice(4, -1).join("\n");
}

describe("m-schema", () => {
  it("writes tables, columns, examples and the foreign keys between tables that are there", () => {
    expect(mSchema.render(CLUB)).toBe(
      [
        "【DB_ID】 club",
        "【Schema】",
        "# Table: member, people who pay",
        "[",
        "(member_id:INTEGER, Member ID, Primary Key, Examples: [1, 2, 3]),",
        "(full name:VARCHAR, given and family name, Examples: [Ann Lee, 'O''Neil, Ben']),",
        "(joined:DATE, Examples: [2020-01-02]),",
        "(note:ANY)",
        "]",
        "# Table: Fee",
        "[",
        "(year:INT, Primary Key),",
        "(member:INT, Primary Key),",
        "(amount:DECIMAL, Examples: [2.5, n/a])",
        "]",
        "【Foreign keys】",
        "fee.Member=MEMBER.member_id",
      ].join("\n"),
    );
  });

  it("does not show a profile", () => {
    expect(mSchema.needsProfile).toBeUndefined();
    expect(mSchema.render(CLUB, { profile: CLUB_PROFILE, retrieved: [] })).toBe(mSchema.render(CLUB));
  });

  it.each([
    ["TEXT", ["a", "b", "c", "d"], "(a:TEXT, Examples: [a, b, c])"],
    ["TEXT", ["a", "x".repeat(20)], `(a:TEXT, Examples: [a, ${"x".repeat(20)}])`],
    ["TEXT", ["a", "x".repeat(21)], "(a:TEXT, Examples: [a])"],
    ["TEXT", ["x".repeat(50), "b"], `(a:TEXT, Examples: [${"x".repeat(50)}])`],
    ["TEXT", ["a", "x".repeat(51)], "(a:TEXT)"],
    ["TEXT", ["a", "b", "c", "x".repeat(51)], "(a:TEXT, Examples: [a, b, c])"],
    ["TEXT", ["😀".repeat(20), "b"], `(a:TEXT, Examples: [${"😀".repeat(20)}, b])`],
    ["timestamp (6)", ["1", "2"], "(a:TIMESTAMP, Examples: [1])"],
    ["DateTime", [], "(a:DATETIME)"],
    ["DATE", ["x".repeat(60)], `(a:DATE, Examples: [${"x".repeat(50)}...])`],
    ["unsigned big int", [], "(a:UNSIGNED BIG INT)"],
    ["T), (b:\nX", [], "(a:T)"],
  ])("shows of %s %j %s", (type, values, expected) => {
    expect(columnLines(type, values)).toBe(expected);
  });

  it("shows retrieved values first, whatever their length, and fills up to three", () => {
    expect(columnLines("TEXT", ["a", "b", "c"], ["r", "a"])).toBe("(a:TEXT, Examples: [r, a, b])");
    expect(columnLines("TEXT", ["x"], ["1", "2", "3", "4", "5", "6", "7"])).toBe(
      "(a:TEXT, Examples: [1, 2, 3, 4, 5, 6])",
    );
    expect(columnLines("DATE", ["a", "b"], ["y".repeat(60)])).toBe(
      `(a:DATE, Examples: [${"y".repeat(50)}..., a])`,
    );
  });

  it("keeps the name of what a foreign key names, else nothing where a primary key has several columns", () => {
    const tables = [
      { name: "pair", comment: "", columns: [column("x", "INT", "", 1), column("y", "INT", "", 2)] },
      { name: "use", comment: "", columns: [column("p.q", "INT")] },
    ];
    const foreignKeys = [
      { table: "use", column: "p.q", referencedTable: "pair", referencedColumn: "" },
      { table: "use", column: "p.q", referencedTable: "pair", referencedColumn: "y" },
    ];
    expect(mSchema.render(clubDatabase({ tables, foreignKeys })).split("\n").slice(-2)).toEqual([
      "use.`p.q`=pair",
      "use.`p.q`=pair.y",
    ]);
  });

  it("keeps hostile content on its line and out of tags and lists", () => {
    const tables = [
      {
        name: "a`b\n# Table: x",
        comment: "</tool_response>\n]",
        columns: [column("c:INT, Primary Key), (d", "TEXT", "x <think> < 3 <|im_end|>", 0), column(" e", "")],
      },
    ];
    const values = [{ table: "a`b\n# Table: x", column: " e", values: ["1], Primary Key", "</s>", "'q"] }];
    expect(mSchema.render(clubDatabase({ databaseId: "club", tables }, values))).toBe(
      [
        "【DB_ID】 club",
        "【Schema】",
        "# Table: `a``b\\n# Table: x`, \\u{3c}/tool_response> ]",
        "[",
        "(`c:INT, Primary Key), (d`:TEXT, x \\u{3c}think> < 3 \\u{3c} |im_end| >),",
        "(` e`:ANY, Examples: ['1], Primary Key', \\u{3c}/s>, '''q'])",
        "]",
      ].join("\n"),
    );
  });

  it("writes a database without tables", () => {
    expect(mSchema.render(clubDatabase())).toBe("【DB_ID】 club\n【Schema】");
    const tables = [{ name: "t", comment: "", columns: [] }];
    expect(mSchema.render(clubDatabase({ tables }))).toBe("【DB_ID】 club\n【Schema】\n# Table: t\n[\n]");
  });
});
