import { expect, it } from "vitest";
import { reviewPlace } from "../review-fixture.ts";
import { runAudit } from "../run-audit.ts";

it("writes a correction of a person's own, without a finding", async () => {
  const place = await reviewPlace();
  const edit = (...args: string[]) => runAudit("edit", "1", ...args, ...place.options, "--author", "ann");
  await expect(edit()).rejects.toMatchObject({ code: "USAGE" });
  await expect(edit("--gold", "SELECT name FROM loaf")).rejects.toMatchObject({ code: "CORRECTION_EMPTY" });
  await edit(
    "--add-gold",
    "SELECT loaf.name FROM loaf",
    "--question",
    "The names of all loaves?",
    "--kind",
    "vague",
  );
  const lines = (await place.text("corrections.jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { field: "gold", before: null, after: "SELECT loaf.name FROM loaf", kind: "vague" },
    { field: "question", before: "Which loaves?", after: "The names of all loaves?" },
  ]);
  const shown = JSON.parse(
    await edit("--gold", "SELECT 1", "--replaces", "SELECT name FROM loaf", "--json"),
  ) as {
    decisions: unknown;
  };
  expect(shown.decisions).toMatchObject([
    { decision: "edited", corrections: [{ field: "question" }, { field: "gold", after: "SELECT 1" }] },
  ]);
});
