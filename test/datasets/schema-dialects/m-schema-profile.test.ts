import { expect, it } from "vitest";
import mSchema from "../../../datasets/schema-dialects/m-schema.ts";
import mSchemaProfile from "../../../datasets/schema-dialects/m-schema-profile.ts";
import { CLUB, CLUB_PROFILE } from "../club-database.ts";

it("adds rows, flags, statistics, frequent values and inferred keys", () => {
  const retrieved = [{ table: "member", column: "full name", values: ["Di"] }];
  expect(mSchemaProfile.needsProfile).toBe(true);
  expect(mSchemaProfile.render(CLUB, { profile: CLUB_PROFILE, retrieved })).toBe(
    [
      "【DB_ID】 club",
      "【Schema】",
      "# Table: member, people who pay, 40 rows",
      "[",
      "(member_id:INTEGER, Member ID, Primary Key, No NULLs, " +
        "Statistics: [distinct 40, NULL 0, min 1, max 9007199254740993], Examples: [1]),",
      "(full name:VARCHAR, given and family name, Has NULLs, " +
        "Statistics: [distinct 30, NULL 2, integer 1, text 37, min 12, max Zoe], Examples: [Di, Ann Lee, Cy]),",
      "(joined:DATE, first day, Has NULLs, Statistics: [distinct 0, NULL 40], Examples: [2020-01-02]),",
      "(note:ANY, No NULLs, Statistics: [distinct 4, NULL 0])",
      "]",
      "# Table: Fee",
      "[",
      "(year:INT, Primary Key),",
      "(member:INT, Primary Key),",
      "(amount:DECIMAL, Examples: [2.5, n/a])",
      "]",
      "【Foreign keys】",
      "fee.Member=MEMBER.member_id",
      "【Inferred foreign keys】",
      "Fee.year=member.joined",
    ].join("\n"),
  );
});

it("marks the columns of foreign keys that a profile knows", () => {
  const profile = {
    ...CLUB_PROFILE,
    tables: CLUB_PROFILE.tables.map((table) => ({
      ...table,
      name: "FEE",
      columns: table.columns.slice(0, 1).map((column) => ({ ...column, name: "MEMBER" })),
    })),
  };
  expect(mSchemaProfile.render(CLUB, { profile, retrieved: [] })).toContain(
    "(member:INT, Primary Key, Foreign Key, No NULLs, Statistics: [",
  );
});

it("is M-Schema without a profile", () => {
  expect(mSchemaProfile.render(CLUB)).toBe(mSchema.render(CLUB));
});
