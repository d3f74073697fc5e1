import { describe, expect, it } from "vitest";
import type { PredictionRow } from "../../core/prediction-format.ts";
import { RowSpool } from "../../io/row-spool.ts";
import { ExampleIndex, type ImportedAnswer, joinPredictions } from "../../synth/join-predictions.ts";
import { emptyRow } from "../../synth/prediction-fields.ts";
import { example } from "./synth-rows.ts";

function indexOf(...sourceIds: readonly string[]): ExampleIndex {
  const index = new ExampleIndex(new Set(["ferries", "club"]));
  for (const [place, sourceId] of sourceIds.entries()) {
    index.add(example(sourceId, { id: String(place).padStart(32, "a"), question: `Question ${place}?` }));
  }
  return index;
}

async function* rows(...parts: readonly Partial<PredictionRow>[]): AsyncGenerator<PredictionRow> {
  for (const [position, part] of parts.entries())
    yield await Promise.resolve({ ...emptyRow(position), ...part });
}

async function join(index: ExampleIndex, parts: readonly Partial<PredictionRow>[], partial = false) {
  const spool = await RowSpool.open<ImportedAnswer>();
  try {
    const joined = await joinPredictions(index, { name: "pred.txt", partial, rows: rows(...parts), spool });
    const said: (string[] | undefined)[] = [];
    for (const answers of joined.answers) {
      const texts: string[] = [];
      for (const { sampleIndex, number } of answers ?? []) {
        texts.push(`${sampleIndex} ${(await spool.get(number)).sql}`);
      }
      said.push(answers === undefined ? undefined : texts);
    }
    return said;
  } finally {
    await spool.close();
  }
}

describe("joinPredictions", () => {
  it("joins by position without keys", async () => {
    expect(await join(indexOf("x", "y"), [{ sql: "a" }, { sql: "b" }])).toEqual([["0 a"], ["0 b"]]);
  });

  it("joins by place whatever the order of the file", async () => {
    const eleven = indexOf(...Array.from({ length: 11 }, (_, place) => `q${place}`));
    const sorted = ["0", "1", "10", "2", "3", "4", "5", "6", "7", "8", "9"];
    const parts = sorted.map((key) => ({ key, keyKind: "position" as const, sql: `answer ${key}` }));
    expect((await join(eleven, parts)).flat()).toEqual(
      Array.from({ length: 11 }, (_, place) => `0 answer ${place}`),
    );
  });

  it("joins by the dataset's name or the example's id", async () => {
    const parts = [
      { key: "a".repeat(31) + "0", sql: "a" },
      { key: "1471", sql: "b" },
    ];
    expect(await join(indexOf("1470", "1471"), parts)).toEqual([["0 a"], ["0 b"]]);
  });

  it("numbers several answers of one key", async () => {
    const inOrder = [
      { key: "x", sql: "a" },
      { key: "x", sql: "b" },
    ];
    expect(await join(indexOf("x"), inOrder)).toEqual([["0 a", "1 b"]]);
    const numbered = [
      { key: "x", sql: "a", sampleIndex: 4 },
      { key: "x", sql: "b", sampleIndex: 2 },
    ];
    expect(await join(indexOf("x"), numbered)).toEqual([["2 b", "4 a"]]);
  });

  it("leaves examples out of a partial file", async () => {
    expect(await join(indexOf("x", "y"), [{ key: "y", sql: "b" }], true)).toEqual([undefined, ["0 b"]]);
    expect(await join(indexOf("x", "y"), [{ sql: "a" }], true)).toEqual([["0 a"], undefined]);
  });

  it("tells examples of one published id apart by their question", async () => {
    const parts = [
      { key: "137", sql: "b", question: "Question 1?" },
      { key: "137", sql: "a", question: "Question 0? " },
    ];
    expect(await join(indexOf("137", "137"), parts)).toEqual([["0 a"], ["0 b"]]);
  });

  it("accepts what agrees but for space around it", async () => {
    const parts = [{ sql: "a", databaseId: " ferries", question: " Question 0?\n" }];
    expect(await join(indexOf("x"), parts)).toEqual([["0 a"]]);
  });

  it.each([
    [
      "IMPORT_COUNT_MISMATCH",
      [{ sql: "a" }, { sql: "b", question: "other" }, { sql: "c" }],
      "cannot import pred.txt: it has 3 predictions, expected 2, one for each example",
    ],
    ["IMPORT_COUNT_MISMATCH", [{ sql: "a" }], "it has 1 predictions, expected 2"],
    ["IMPORT_COUNT_MISMATCH", [], "it has 0 predictions, expected 2"],
    ["IMPORT_KEY_MISSING", [{ key: "x" }], "the key y is missing, expected one for each of 2 examples"],
    ["IMPORT_KEY_MISSING", [{ key: "1", keyKind: "position" as const }], "the key 0 is missing"],
    ["IMPORT_KEY_EXTRA", [{ key: "x" }, { key: "z" }], 'no example has the key "z"'],
    ["IMPORT_KEY_EXTRA", [{ key: "2", keyKind: "position" as const }], 'no example has the key "2"'],
    [
      "IMPORT_KEY_DUPLICATE",
      [
        { key: "x", sampleIndex: 0 },
        { key: "x", sampleIndex: 0 },
      ],
      "the key x comes twice",
    ],
    ["IMPORT_KEYS_MIXED", [{ key: "x" }, {}], "prediction 1 has no key, unlike those before it"],
    ["IMPORT_KEYS_MIXED", [{}, { key: "x" }], "prediction 1 has the key x, unlike those before it"],
    [
      "IMPORT_DATABASE_MISMATCH",
      [{}, { databaseId: "club" }],
      'at position 1 the database is "club", expected "ferries"',
    ],
    [
      "IMPORT_QUESTION_MISMATCH",
      [{ key: "y", question: "Why?" }],
      'at key y the question is "Why?", expected "Question 1?"',
    ],
  ])("%s for %j", async (code, parts, message) => {
    await expect(join(indexOf("x", "y"), parts)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
      site: { file: "pred.txt" },
    });
  });

  it("refuses a key that several examples share", async () => {
    await expect(join(indexOf("137", "138", "137"), [{ key: "137" }])).rejects.toMatchObject({
      code: "IMPORT_KEY_AMBIGUOUS",
      message: "cannot import pred.txt: the key 137 names the examples at 0 and 2, expected one",
    });
  });

  it("refuses an extra key and too many lines of a partial file", async () => {
    await expect(join(indexOf("x"), [{ key: "z" }], true)).rejects.toMatchObject({
      code: "IMPORT_KEY_EXTRA",
    });
    await expect(join(indexOf("x"), [{}, {}], true)).rejects.toMatchObject({ code: "IMPORT_COUNT_MISMATCH" });
  });

  it("says when a database is none of the dataset's", async () => {
    await expect(join(indexOf("x"), [{ databaseId: "ferry" }])).rejects.toMatchObject({
      hint: 'the dataset has no database "ferry": the file answers another one',
    });
  });
});
