import { expect, it } from "vitest";
import type { PredictionRow } from "../../core/prediction-format.ts";
import { withoutSeparators } from "../../synth/dialogue-separators.ts";
import { emptyRow } from "../../synth/prediction-fields.ts";

async function read(
  lines: readonly (string | Partial<PredictionRow>)[],
  turns: readonly number[],
): Promise<unknown[]> {
  async function* rows(): AsyncGenerator<PredictionRow> {
    for (const [position, line] of lines.entries()) {
      const part = typeof line === "string" ? { sql: line } : line;
      yield await Promise.resolve({ ...emptyRow(position), ...part });
    }
  }
  const said: unknown[] = [];
  for await (const { sql, position } of withoutSeparators(rows(), turns)) said.push(`${position} ${sql}`);
  return said;
}

it("drops the line after each dialogue, with or without the last", async () => {
  const expected = ["0 a", "1 b", "2 c"];
  expect(await read(["a", "b", "", "c"], [2, 1])).toEqual(expected);
  expect(await read(["a", "b", "", "c", " "], [2, 1])).toEqual(expected);
});

it("keeps an empty answer of a turn", async () => {
  expect(await read(["a", "", "", "c"], [2, 1])).toEqual(["0 a", "1 ", "2 c"]);
  expect(await read(["a", "", "", ""], [2, 1])).toEqual(["0 a", "1 ", "2 "]);
});

it.each([
  [
    ["a", "b", "c"],
    [2, 1],
  ],
  [
    ["a", "", "c"],
    [2, 1],
  ],
  [
    ["a", "", "b", "c"],
    [2, 1],
  ],
  [
    ["a", "b", "", "c", "", ""],
    [2, 1],
  ],
  [["a", "b"], []],
  [
    ["a", "b", "c"],
    [1, 1],
  ],
])("leaves %j as it is where dialogues have %j turns", async (lines, turns) => {
  expect(await read(lines, turns)).toEqual(lines.map((line, place) => `${place} ${line}`));
});

it("leaves a file with keys and one whose separator names a database", async () => {
  expect(await read([{ sql: "a", key: "1" }, { sql: "" }, "c"], [1, 1])).toEqual(["0 a", "1 ", "2 c"]);
  expect(await read(["a", { sql: "", databaseId: "club" }, "c"], [1, 1])).toEqual(["0 a", "1 ", "2 c"]);
});
