import path from "node:path";
import { expect, it } from "vitest";
import { findingsNamed, names, readFindings } from "../../../pipelines/audit/finding-file.ts";
import { bakeryExample } from "../../datasets/correction-fixtures.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { findingOf } from "./review-fixture.ts";

const example = bakeryExample();

it("findings are read with what a review does not know passed over", async () => {
  const finding = findingOf(example);
  const text = `${JSON.stringify({ ...finding, taxonomy: ["a"] })}\n${JSON.stringify({ ...finding, check: 1 })}\n`;
  const folder = await temporaryFolder({ "one.jsonl": text.split("\n")[0] ?? "", "two.jsonl": text });
  expect(await readFindings(path.join(folder, "one.jsonl"))).toEqual([finding]);
  expect(await readFindings(path.join(folder, "none.jsonl"))).toEqual([]);
  await expect(readFindings(path.join(folder, "two.jsonl"))).rejects.toMatchObject({
    code: "FINDING_MALFORMED",
    site: { line: 2 },
  });
});

it("a person names findings by their place, an id or its beginning, or the dataset's own name", () => {
  const [first, second] = [findingOf(example), findingOf(example, { check: "join" })];
  const third = findingOf(bakeryExample({ sourceId: "7", question: "Which?" }));
  const all = [first, second, third];
  expect(findingsNamed(all, "#2", null)).toEqual([second]);
  expect(findingsNamed(all, "0", null)).toEqual([first, second]);
  expect(findingsNamed(all, "0", "join")).toEqual([second]);
  expect(findingsNamed(all, example.id.slice(0, 8), null)).toEqual([first, second]);
  expect(findingsNamed(all, "7", null)).toEqual([third]);
  expect(findingsNamed(all, "8", null)).toEqual([]);
  expect(() => findingsNamed(all, "#4", null)).toThrow("there is no finding #4, the file has 3");
});

it("a number is the dataset's own name before it is the beginning of an id", () => {
  expect(names("12345", "12345".padEnd(32, "0"), "9")).toBe(false);
  expect(names("123456", "123456".padEnd(32, "0"), "9")).toBe(true);
  expect(names("9", "0".repeat(32), "9")).toBe(true);
});
