import { describe, expect, it } from "vitest";
import { descriptionText, readTableDescription } from "../../synth/table-description.ts";

const NAMES = ["boat_id", "name"];

function read(reply: string) {
  const found = readTableDescription(reply, NAMES);
  return found === null ? null : [found.table, Object.fromEntries(found.columns)];
}

describe("readTableDescription", () => {
  const both = ["A boat.", { boat_id: "Its number.", name: "On the bow." }];
  const object = '{"table": "A boat.", "columns": {"boat_id": "Its number.", "name": "On the bow."}}';

  it.each([
    ["bare", object],
    ["in a fence", `Here you are:\n\`\`\`json\n${object}\n\`\`\`\nDone.`],
    ["after a thought with a draft", `<think>{"columns": {"name": "no"}}</think>${object}`],
    ["after other objects", `{ not json {"columns": {"other": "x"}} ${object}`],
    ["with slips", "{table: 'A boat.', columns: {'BOAT_ID': 'Its number.', name: 'On the bow.',}}"],
    ["without its last braces", object.slice(0, -2)],
  ])("reads an object %s", (_, reply) => {
    expect(read(reply)).toEqual(both);
  });

  it("leaves out columns that are missing, other names, and what is no text", () => {
    expect(read('{"columns": {"name": "", "boat_id": 7, "seats": "x"}}')).toEqual([null, { name: "" }]);
  });

  it.each([
    "I cannot tell.",
    "",
    '{"table": "A boat."}',
    '{"columns": {"seats": "x"}}',
    '{"columns": ["name"]}',
    '{"columns": {"name": "a text that is cu',
    "{".repeat(500),
  ])("reads nothing in %j", (reply) => {
    expect(read(reply)).toBeNull();
  });
});

describe("descriptionText", () => {
  it("is one line of at most 200 characters", () => {
    expect(descriptionText("  Seats\n\t of  a boat\u0000. ")).toBe("Seats of a boat\\u0000.");
    expect(descriptionText("é".repeat(199))).toBe("é".repeat(199));
    expect(descriptionText("é".repeat(201))).toBe(`${"é".repeat(199)}…`);
  });
});
