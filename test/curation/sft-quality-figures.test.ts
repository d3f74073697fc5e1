import { expect, it } from "vitest";
import { QualityFigures, qualityText } from "../../curation/sft-quality-figures.ts";
import { trajectory } from "./sample-rows.ts";
import { repaired } from "./taught-rows.ts";

it("figures of a set are counted, by hardness, database and teacher", () => {
  const figures = new QualityFigures();
  const usage = { promptTokens: 1, completionTokens: 30, costMicroUsd: null };
  figures.add({ ...repaired("a"), usage }, { hardness: "hard", databaseId: "ferries" });
  figures.add({ ...repaired("a", 1), usage }, { hardness: "hard", databaseId: "ferries" });
  figures.add(trajectory("b", 0, "SELECT 1"), { hardness: null, databaseId: "seeds" });
  const table = figures.table();
  expect(table).toEqual({
    trajectories: 3,
    questions: 2,
    tokens: { median: 30, p90: 30, max: 30 },
    interactions: { hard: 2, unknown: 0 },
    tools: { exec_sql: 4 },
    repairRate: 0.6667,
    duplicateActions: 0.6667,
    byHardness: { hard: 2, unknown: 1 },
    byDatabase: { ferries: 2, seeds: 1 },
    byTeacher: { "student 1 single-turn": 3 },
    byRound: { "0": 3 },
  });
  const text = qualityText({ before: table, after: table }, [
    { hardness: "hard", question: "Why?", trajectory: repaired("a") },
  ]);
  expect(text).toContain("| repair rate | 0.6667 | 0.6667 |");
  expect(text).toContain("## hard: Why?");
  expect(new QualityFigures().table()).toMatchObject({ trajectories: 0, repairRate: 0 });
});
