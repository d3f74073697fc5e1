import { describe, expect, it } from "vitest";
import { readLinkedAnswer } from "../../synth/linked-answer.ts";
import { FERRIES } from "./synth-rows.ts";

const read = (text: string) => readLinkedAnswer(text, FERRIES.schema);

describe("readLinkedAnswer", () => {
  it("gives names as the database writes them, in its order, each once", () => {
    expect(read('{"Crossing": ["ISLAND"], "boat": ["seats", "Name", "name"]}')).toEqual({
      ok: true,
      links: [
        { table: "boat", columns: ["name", "seats"] },
        { table: "crossing", columns: ["island"] },
      ],
      isRepaired: false,
    });
    expect(read('{"boat": ["name"], "BOAT": ["seats"]}')).toMatchObject({
      links: [{ table: "boat", columns: ["name", "seats"] }],
    });
    expect(read('{"boat": []}')).toMatchObject({ ok: true, links: [{ table: "boat", columns: [] }] });
    expect(read("{'boat': []}")).toMatchObject({ ok: true, isRepaired: true });
  });

  it.each([
    ["{}", "it names no table"],
    ["[]", "it is no JSON object"],
    ["null", "it is no JSON object"],
    ['{"boat": "name"}', 'the columns of "boat" are no list of names'],
    ['{"boat": [1]}', 'the columns of "boat" are no list of names'],
    ['{"boat": []} {}', "more than one JSON object stands in the block"],
    ['{"boat": ["name"', "it is not JSON: it ends where a comma or ] is expected"],
    ['{"ship": []}', 'the database does not have the table "ship"'],
    [
      '{"boat": ["nam", "İ"]}',
      'the database does not have the column "nam" of "boat", the column "İ" of "boat"',
    ],
  ])("says what is wrong with %s", (text, problem) => {
    expect(read(text)).toEqual({ ok: false, problem: `Your answer cannot be read: ${problem}.` });
  });

  it("names ten unknown names at most", () => {
    const columns = Array.from({ length: 30 }, (_, index) => `x${index}`);
    const { problem } = read(JSON.stringify({ boat: columns })) as { problem: string };
    expect(problem).toContain('the column "x9" of "boat" and 20 more');
    expect(problem).not.toContain("x10");
  });
});
