import { expect, it } from "vitest";
import { systemLabels } from "../../../pipelines/report/system-labels.ts";

const system = (name: string, revision: string, setting: string, round = 0) => ({
  model: { name, revision },
  setting,
  round,
});

it.each([
  ["one system by its model", [system("a", "1", "x")], ["a"]],
  ["settings of one model by the setting", [system("a", "1", "x"), system("a", "1", "y")], ["x", "y"]],
  ["models by name", [system("a", "1", "x"), system("b", "1", "x")], ["a", "b"]],
  ["checkpoints by revision", [system("a", "1", "x"), system("a", "2", "x")], ["a, 1", "a, 2"]],
  ["rounds by number", [system("a", "1", "x", 0), system("a", "1", "x", 1)], ["a, round 0", "a, round 1"]],
])("names %s", (_what, systems, labels) => {
  expect([...systemLabels(systems).values()]).toEqual(labels);
});
