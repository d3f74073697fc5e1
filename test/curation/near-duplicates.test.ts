import { expect, it } from "vitest";
import { countShingles, NearDuplicates } from "../../curation/near-duplicates.ts";

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

it("finds what comparing with every question finds", () => {
  const words = "name city year boat crew port fare route island berth".split(" ");
  let state = 7;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const questions = Array.from({ length: 300 }, () =>
    Array.from({ length: 4 + below(5) }, () => words[below(words.length)]).join(" "),
  );
  const shingles = (text: string): Set<string> => {
    const list = text.split(" ");
    return new Set([...list, ...list.slice(1).map((word, index) => `${list[index]} ${word}`)]);
  };
  const similarity = (left: string, right: string): number => {
    const [first, second] = [shingles(left), shingles(right)];
    const shared = [...first].filter((one) => second.has(one)).length;
    return shared / (first.size + second.size - shared);
  };
  const frequencies = new Map<string, number>();
  for (const question of questions) countShingles(question, frequencies);
  const near = new NearDuplicates(0.5, frequencies);
  let found = 0;
  for (const [place, question] of questions.entries()) {
    const alike = questions.slice(0, place).map((other) => similarity(question, other));
    const best = Math.max(0, ...alike);
    const expected = best >= 0.5 ? String(alike.indexOf(best)) : undefined;
    expect(near.find("x", question)).toBe(expected);
    if (expected !== undefined) found += 1;
    near.add("x", question, String(place));
  }
  expect(found).toBeGreaterThan(20);
});
