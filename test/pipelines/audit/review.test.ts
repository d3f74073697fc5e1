import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { correctionsFor } from "../../../pipelines/audit/review.ts";
import { bakeryExample } from "../../datasets/correction-fixtures.ts";
import { BY, rejection, reviewPlace } from "./review-fixture.ts";

const NOTE = { kind: "distinct", reason: "why", ...BY };
const AFTER = "SELECT count(DISTINCT name) FROM loaf";

describe("Review", () => {
  it("finds a question by the dataset's own name and by its id", async () => {
    const review = await (await reviewPlace()).open();
    const [first] = review.examples;
    expect(review.example("0")).toBe(first);
    expect(review.example(first?.id ?? "")).toBe(first);
    expect(() => review.example("9")).toThrow(expect.objectContaining({ code: "EXAMPLE_UNKNOWN" }));
  });

  it("keeps decisions and the overlay that follows from them, and withdraws a correction with its decision", async () => {
    const place = await reviewPlace();
    const review = await place.open();
    const example = review.example("0");
    const corrections = correctionsFor(example, [{ field: "gold", after: AFTER }], NOTE);
    const decision = rejection({ exampleId: example.id, decision: "accepted", corrections });
    await review.decide([decision]);
    expect(JSON.parse(await place.text("corrections.jsonl"))).toEqual(corrections[0]);
    const again = await place.open();
    expect(again.decisions).toEqual([decision]);
    expect((await again.current(example, "")).gold).toEqual([AFTER]);
    await again.decide([rejection({ exampleId: example.id })]);
    expect(await place.text("corrections.jsonl")).toBe("");
  });

  it("writes nothing where a correction does not fit, or where the overlay is somebody else's", async () => {
    const place = await reviewPlace();
    const review = await place.open();
    const [wrong] = correctionsFor(
      bakeryExample({ dataset: { name: "spider", release: "1", split: "dev" }, gold: ["x"] }),
      [{ field: "gold", after: AFTER }],
      NOTE,
    );
    await expect(
      review.decide([rejection({ corrections: wrong === undefined ? [] : [wrong] })]),
    ).rejects.toMatchObject({ code: "CORRECTION_STALE" });
    await expect(place.text("decisions.jsonl")).rejects.toThrow("ENOENT");
    await writeFile(place.files.corrections, `${JSON.stringify({ ...wrong, author: "bob" })}\n`);
    await expect(review.decide([rejection()])).rejects.toMatchObject({
      code: "CORRECTIONS_FOREIGN",
      site: { line: 1 },
    });
  });
});

describe("correctionsFor", () => {
  it("starts from what is there", () => {
    const example = bakeryExample({ gold: ["a", "b"] });
    const fields = (change: Parameters<typeof correctionsFor>[1][number]) =>
      correctionsFor(example, [change], NOTE).map(({ field, before, after }) => [field, before, after])[0];
    expect(fields({ field: "gold", after: "c" })).toEqual(["gold", "a", "c"]);
    expect(fields({ field: "gold", before: "b", after: "c" })).toEqual(["gold", "b", "c"]);
    expect(fields({ field: "gold", isAdded: true, after: "c" })).toEqual(["gold", null, "c"]);
    expect(fields({ field: "gold", before: "b", after: null })).toEqual(["gold", "b", null]);
    expect(fields({ field: "evidence", after: "e" })).toEqual(["evidence", null, "e"]);
    expect(() => fields({ field: "question", after: "How many loaves?" })).toThrow(
      expect.objectContaining({ code: "CORRECTION_EMPTY" }),
    );
  });
});
