import { expect, it } from "vitest";
import { NearDuplicates } from "../../curation/near-duplicates.ts";

function filled(): NearDuplicates {
  const near = new NearDuplicates(0.7);
  near.add("club", "What are the names of all members who joined before 2010?", "first");
  near.add("club", "How many members are there in each city of the club?", "second");
  return near;
}

it.each([
  ["what are the names of all the members who joined before 2010", "first"],
  ["How many members are there in each city of the clubs?", "second"],
  ["What are the names of all members who joined before 2011?", undefined],
  ["What are the names of all members who joined after 2010?", undefined],
  ["Which city has most members?", undefined],
  ["", undefined],
])("of %j: %s", (question, expected) => {
  expect(filled().find("club", question)).toBe(expected);
});

it("looks only within a scope", () => {
  expect(filled().find("school", "How many members are there in each city of the club?")).toBeUndefined();
});

it("takes the most similar, the first among equals", () => {
  const near = new NearDuplicates(0.2);
  near.add("x", "show the names of boats", "far");
  near.add("x", "show all the names of boats", "near");
  near.add("x", "show all the names of boats", "again");
  expect(near.find("x", "show all the names of boats")).toBe("near");
});
