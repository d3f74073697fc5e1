import { expect, it } from "vitest";
import goldEmpty from "../../../curation/checks/gold-empty.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["SELECT name FROM boat WHERE kind = 'Canoe'", ["no_rows"]],
  ["SELECT name FROM boat WHERE kind = 'Ferry' EXCEPT SELECT name FROM boat", ["nothing_left"]],
  ["SELECT crew_name FROM crew", ["empty_table"]],
  ["SELECT count(*) FROM crew", ["empty_table"]],
  ["SELECT price FROM boat WHERE name = 'Puffin'", ["all_null"]],
  ["SELECT count(*) FROM boat WHERE kind = 'Canoe'", ["zero"]],
  ["SELECT count(*) FROM boat", []],
  ["SELECT price FROM boat", []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(goldEmpty, "What is there?", gold)).toEqual(kinds);
});
