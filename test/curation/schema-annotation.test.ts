import { expect, it } from "vitest";
import { annotatedLinks } from "../../curation/schema-annotation.ts";
import { observed, reply, trajectory } from "./reward-rows.ts";

it.each([
  [
    "the last block of a reply",
    ['<schema>{"a": []}</schema> or <schema>{"b": ["c"]}</schema>'],
    [{ table: "b", columns: ["c"] }],
  ],
  [
    "the last reply that has one",
    ['<schema>{"a": ["x"]}</schema>', "no block"],
    [{ table: "a", columns: ["x"] }],
  ],
  ["a fenced one", ['<schema>\n```json\n{"a": ["x"]}\n```\n</schema>'], [{ table: "a", columns: ["x"] }]],
  [
    "not one that is no JSON object of lists",
    ['<schema>{"a": ["x"]}</schema>', "<schema>[1]</schema>"],
    [{ table: "a", columns: ["x"] }],
  ],
  ["not one that never ends", ['<schema>{"a": ["x"]}'], []],
])("%s", (_name, texts, links) => {
  expect(annotatedLinks(trajectory(texts.map((text) => reply(text))))).toEqual(links);
});

it("never what the environment says", () => {
  expect(annotatedLinks(trajectory([reply("look"), observed('<schema>{"a": []}</schema>')]))).toEqual([]);
});
