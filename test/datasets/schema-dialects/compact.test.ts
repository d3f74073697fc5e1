import { expect, it } from "vitest";
import compact from "../../../datasets/schema-dialects/compact.ts";
import { CLUB, clubDatabase, column } from "../club-database.ts";

it("writes a line a table with keys, and one value of each text column", () => {
  expect(compact.render(CLUB)).toBe(
    [
      "member(member_id integer PK, `full name` varchar(20) {'Ann Lee'}, joined date, note)",
      "Fee(year INT -> season.year, member INT -> MEMBER, amount DECIMAL(10, 2), PK (member, year))",
    ].join("\n"),
  );
});

it("shows retrieved values instead of the stored one, of any column, at most six", () => {
  const retrieved = [
    { table: "Member", column: "Full name", values: ["Cy O'Neil"] },
    { table: "fee", column: "year", values: ["1", "2", "3", "4", "5", "6", "7"] },
  ];
  expect(compact.render(CLUB, { profile: null, retrieved })).toBe(
    [
      "member(member_id integer PK, `full name` varchar(20) {'Cy O''Neil'}, joined date, note)",
      "Fee(year INT -> season.year {1, 2, 3, 4, 5, 6}, member INT -> MEMBER, amount DECIMAL(10, 2), PK (member, year))",
    ].join("\n"),
  );
});

it("keeps hostile content on its line and out of tags", () => {
  const tables = [
    {
      name: "a`b\nx(y)",
      comment: "not shown",
      columns: [column("</sql>\u202E", "TEXT); --"), column("select", "char(9)", "", 1)],
    },
  ];
  const values = [{ table: "a`b\nx(y)", column: "select", values: [`<tool_call>'}${"z".repeat(90)}`] }];
  expect(compact.render(clubDatabase({ tables }, values))).toBe(
    `\`a\`\`b\\nx(y)\`(\`\\u{3c}/sql>\\u{202e}\` TEXT, \`select\` char(9) PK {'\\u{3c}tool_call>''}${"z".repeat(27)}...'})`,
  );
});

it("writes nothing of a database without tables", () => {
  expect(compact.render(clubDatabase())).toBe("");
});
