import path from "node:path";
import { expect, it } from "vitest";
import { findingOf, reviewPlace } from "../review-fixture.ts";
import { runAudit } from "../run-audit.ts";

it("writes the overlay and sheets, and refuses to write over what it reads", async () => {
  const example = (await (await reviewPlace()).open()).example("0");
  const place = await reviewPlace([findingOf(example)]);
  const at = (name: string) => path.join(place.folder, name);
  const write = (form: string, name: string, ...args: string[]) =>
    runAudit("export", "--to", form, "--out", at(name), ...place.options, ...args);
  await runAudit("accept", "#1", ...place.options, "--author", "ann");
  expect(await write("corrections", "overlay.jsonl")).toBe(`1 corrections in ${at("overlay.jsonl")}\n`);
  expect(await place.text("overlay.jsonl")).toBe(await place.text("corrections.jsonl"));
  expect(JSON.parse(await write("csv", "sheet.csv", "--json"))).toEqual({ out: at("sheet.csv"), rows: 1 });
  expect(await place.text("sheet.csv")).toMatch(/^\uFEFFexample_id,dataset,/);
  await write("html", "sheet.html", "--questions");
  expect((await place.text("sheet.html")).match(/<article/g)).toHaveLength(3);
  await expect(write("pdf", "sheet.pdf")).rejects.toMatchObject({ code: "USAGE" });
  await expect(write("csv", "corrections.jsonl")).rejects.toMatchObject({ code: "USAGE" });
  await expect(write("csv", "findings.jsonl")).rejects.toMatchObject({ code: "USAGE" });
  await expect(write("csv", "x.csv", "--findings", at("none.jsonl"))).rejects.toThrow(
    "expected findings, or --questions",
  );
});
