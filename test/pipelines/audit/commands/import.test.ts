import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { HOSTILE } from "../sheet-fixture.ts";
import { findingOf, QUESTIONS, reviewPlace } from "../review-fixture.ts";
import { runAudit } from "../run-audit.ts";

const AUTHOR = ["--author", "ann"];

it.each(["csv", "html"])("a sheet as %s brings every decision and correction back", async (form) => {
  const questions = HOSTILE.map((text, index) => ({
    ...QUESTIONS[0],
    question: `${index} ${text}`,
    query: `SELECT ${text}`,
  }));
  const { examples } = await (await reviewPlace([], questions)).open();
  const findings = examples.map((example, index) =>
    findingOf(example, {
      message: HOSTILE[index] ?? "",
      suggestion: { field: "gold", after: HOSTILE[index] ?? "" },
    }),
  );
  const place = await reviewPlace(findings, questions);
  const sheet = path.join(place.folder, `sheet.${form}`);
  for (let index = 1; index <= 3; index += 1)
    await runAudit("accept", `#${index}`, ...place.options, ...AUTHOR);
  await runAudit(
    "edit",
    "4",
    ...place.options,
    ...AUTHOR,
    "--gold",
    "SELECT 1",
    "--add-gold",
    "=2",
    "--evidence",
    "a\r\nb",
  );
  await runAudit("reject", "5", ...place.options, ...AUTHOR, "--reason", "+no");
  const before = [await place.text("decisions.jsonl"), await place.text("corrections.jsonl")];
  await runAudit("export", "--to", form, "--out", sheet, ...place.options);
  await rm(place.files.decisions);
  await rm(place.files.corrections);
  const said = await runAudit("import", sheet, ...place.options, "--author", "bob");
  expect(said).toContain(`5 of ${HOSTILE.length} rows are decided`);
  expect([await place.text("decisions.jsonl"), await place.text("corrections.jsonl")]).toEqual(before);
});

it("writes nothing where a row does not fit", async () => {
  const place = await reviewPlace();
  const sheet = path.join(place.folder, "sheet.csv");
  const rows = ["0,reject,", "1,edit,"].map((row) => `spider,dev,${row}\n`).join("");
  await writeFile(sheet, `dataset,split,source_id,decision,corrected_gold\n${rows}`);
  await expect(runAudit("import", sheet, ...place.options, ...AUTHOR)).rejects.toMatchObject({
    code: "SHEET_ROW_INVALID",
    message: expect.stringContaining("row 2 of the sheet") as string,
  });
  await expect(place.text("decisions.jsonl")).rejects.toThrow("ENOENT");
});
