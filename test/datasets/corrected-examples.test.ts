import { describe, expect, it } from "vitest";
import { correctedExamples } from "../../datasets/corrected-examples.ts";
import { bakeryExample, listOf, placed, stream } from "./correction-fixtures.ts";

describe("correctedExamples", () => {
  it("keeps the identity of an example whose gold alone is corrected", async () => {
    const [example, other] = [bakeryExample(), bakeryExample({ sourceId: "1", question: "Which loaves?" })];
    const [first, second] = await listOf(correctedExamples(stream(example, other), [placed({})], false));
    expect(first).toMatchObject({
      example: { id: example.id, gold: ["SELECT count(DISTINCT name) FROM loaf"] },
      before: example,
      applied: [{ line: 1 }],
    });
    expect(second).toEqual({ example: other, before: other, applied: [] });
  });

  it("gives an example another identity where a model sees something else", async () => {
    const example = bakeryExample();
    const fixes = [
      placed({ field: "question", before: "How many loaves?", after: "How many kinds of loaf?" }),
      placed({ field: "evidence", before: null, after: "a kind is a name" }, 2),
    ];
    const [corrected] = await listOf(correctedExamples(stream(example), fixes, false));
    expect(corrected?.example).toEqual(
      bakeryExample({ question: "How many kinds of loaf?", evidence: "a kind is a name" }),
    );
    expect(corrected?.example.id).not.toBe(example.id);
  });

  it("carries a corrected turn into the history of later turns of its dialogue, and no further", async () => {
    const turn = (id: string, index: number, history: { question: string; gold: string }[] = []) =>
      bakeryExample({
        sourceId: `${id}:${index}`,
        question: `q${index}`,
        gold: [`g${index}`],
        history,
        dialogue: { id, turn: index, turns: 2 },
      });
    const shown = [{ question: "q0", gold: "g0" }];
    const rows = [turn("a", 0), turn("a", 1, shown), turn("b", 0), turn("b", 1, shown)];
    const fix = placed({ sourceId: "a:0", before: "g0", after: "better" });
    const found = await listOf(correctedExamples(stream(...rows), [fix], false));
    expect(found.map(({ example }) => example.history)).toEqual([
      [],
      [{ question: "q0", gold: "better" }],
      [],
      shown,
    ]);
    expect(found.map(({ example }) => example.id)).toEqual(rows.map(({ id }) => id));
  });

  it("passes over corrections of other datasets and splits, and refuses one of a question that is not there", async () => {
    const apply = (changes: Parameters<typeof placed>[0], isPartial: boolean) =>
      listOf(correctedExamples(stream(bakeryExample()), [placed(changes)], isPartial));
    expect((await apply({ dataset: "others" }, false))[0]?.applied).toEqual([]);
    expect((await apply({ split: "test" }, false))[0]?.applied).toEqual([]);
    expect((await apply({ sourceId: "9" }, true))[0]?.applied).toEqual([]);
    await expect(apply({ sourceId: "9" }, false)).rejects.toMatchObject({
      code: "CORRECTION_EXAMPLE_UNKNOWN",
      message: expect.stringContaining('bakers dev has no question "9"') as string,
    });
  });
});
