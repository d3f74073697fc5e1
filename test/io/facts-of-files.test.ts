import { utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { FactsOfFiles } from "../../io/facts-of-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("keeps the facts of a file until it changes", async () => {
  const folder = await temporaryFolder({ a: "one", b: "one" });
  const [a, b] = [path.join(folder, "a"), path.join(folder, "b")];
  const facts = new FactsOfFiles();
  const first = facts.of(a);
  const other = facts.of(b);
  expect(other).not.toBe(first);
  expect(facts.of(a)).toBe(first);
  writeFileSync(a, "longer");
  const second = facts.of(a);
  expect(second).not.toBe(first);
  utimesSync(a, 1, 1);
  expect(facts.of(a)).not.toBe(second);
  expect(facts.of(b)).toBe(other);
});

it("knows nothing of a file that is not there", async () => {
  const file = path.join(await temporaryFolder(), "none");
  const facts = new FactsOfFiles();
  const first = facts.of(file);
  writeFileSync(file, "there");
  expect(facts.of(file)).not.toBe(first);
});
