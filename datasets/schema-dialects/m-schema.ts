import { defineSchemaDialect, NO_EXTRAS } from "../../core/schema-dialect.ts";
import { mSchemaText } from "../m-schema-text.ts";

/**
 * M-Schema, the text of XiYan-SQL:
 * ```
 * 【DB_ID】 club
 * 【Schema】
 * # Table: member, people who pay
 * [
 * (member_id:INTEGER, Primary Key, Examples: [1, 2]),
 * (name:VARCHAR, given and family name, Examples: [Ann, Ben])
 * ]
 * 【Foreign keys】
 * fee.member=member.member_id
 * ```
 * A type is what stands before its `(`, in upper case. A column has at most three examples: of dates and times
 * the first alone, the first alone where one has more than 20 characters, none where one has more than 50.
 *
 * What differs from the program that made the form known, and why:
 * - A table has its own name, without the prefix `main.`: that program writes it in headings and in foreign keys,
 *   the published samples do not.
 * - A date column without values has no examples; that program fails on it.
 * - Names are compared without case, whoever writes them.
 * - Examples are the stored ones, in their order; unordered `DISTINCT … LIMIT` gives others on another engine.
 * - Values retrieved for the question come first, at most six, and are cut instead of left out: they are what the
 *   question asks for. The others fill up to three.
 * - A column without a declared type is `ANY`. A foreign key that names no column means the primary key.
 * - Text stays on its line and opens no tag: invisible characters and the `<` of a tag are escapes, long text is
 *   cut and ends in `...`; a name with `` ` `` `:` `,` `=` `.` `[` `]` is in backquotes, a value with `,` `[` `]` in
 *   single quotes.
 */
export default defineSchemaDialect({
  id: "m-schema",
  version: 1,
  render: (database, { retrieved } = NO_EXTRAS) => mSchemaText(database, { profile: null, retrieved }),
});
