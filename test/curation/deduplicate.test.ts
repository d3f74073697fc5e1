import { expect, it } from "vitest";
import { deduplicateStage } from "../../curation/deduplicate.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, kept as keptRow } from "./sample-rows.ts";

const EXAMPLES = [
  example("a", { question: "Name all boats." }),
  example("b", { question: "name all boats" }),
  example("c", { question: "Name all boats.", databaseId: "harbour" }),
  example("d", { question: "Name all boats.", evidence: "a boat is a ship" }),
  example("e", { question: "Name all boats.", history: [{ question: "How many are there?", gold: null }] }),
  example("f", { question: "Name all of the boats." }),
  example("g", { question: "Name all boats." }),
];

async function dropped(level: string, threshold = 0.4): Promise<unknown[]> {
  const kept = EXAMPLES.map(({ sourceId, databaseId }, index) => keptRow(sourceId, index, { databaseId }));
  const inputs = { kept, examples: EXAMPLES };
  const out = await runStage(deduplicateStage, inputs, { level, threshold } as never);
  return out.dropped.map(({ sourceId, reason, message }) => [sourceId, reason, message]);
}

it("keeps the first of what is the same, at each level", async () => {
  expect(await dropped("exact")).toEqual([["g", "duplicate", "it asks what a asks"]]);
  expect(await dropped("normalised")).toEqual([
    ["b", "duplicate", "it asks what a asks"],
    ["g", "duplicate", "it asks what a asks"],
  ]);
  expect(await dropped("near")).toEqual([
    ["b", "duplicate", "it asks what a asks"],
    ["f", "near_duplicate", "it asks what a asks"],
    ["g", "duplicate", "it asks what a asks"],
  ]);
});

it("looks only at what is kept", async () => {
  const inputs = { kept: [keptRow("b", 1), keptRow("g", 6)], examples: EXAMPLES };
  const out = await runStage(deduplicateStage, inputs, { level: "normalised" } as never);
  expect([out.kept.map(({ sourceId }) => sourceId), out.dropped.map(({ sourceId }) => sourceId)]).toEqual([
    ["b"],
    ["g"],
  ]);
});
