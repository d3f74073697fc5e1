import { expect, it } from "vitest";
import { NamesExample, namesExample } from "../../../pipelines/serve/example-name.ts";

it("a body names an example by its id or by its dataset's name of the row", () => {
  expect(namesExample(NamesExample.parse({ example_id: "e", other: 1 }))).toBe(true);
  expect(namesExample(NamesExample.parse({ source_id: "1" }))).toBe(true);
  expect(namesExample(NamesExample.parse({ dataset: "bird" }))).toBe(false);
});
