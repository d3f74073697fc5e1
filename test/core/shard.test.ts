import { describe, expect, it } from "vitest";
import { defineExporter, ExportRow } from "../../core/shard.ts";
import { example, message, trajectory } from "../curation/sample-rows.ts";

const ROW = {
  index: 0,
  split: "train",
  example: example("a"),
  databaseDigest: "d",
  prompt: [message("user", "Question a?")],
  trajectory: null,
  level: null,
  hardness: null,
  n: 8,
  c: 3,
  simulated: true,
};

/** What a row says that leaves these fields out. */
const LEFT_OUT = {
  scaffold: null,
  tools: [],
  toolNames: [],
  task: "sql",
  linking: null,
  promptFrom: "no_rollout",
  rejected: null,
};

describe("ExportRow", () => {
  it("takes a row to practise on and one to imitate", () => {
    expect(ExportRow.parse(ROW)).toEqual({ ...ROW, ...LEFT_OUT });
    const imitated = { ...ROW, trajectory: trajectory("a", 0, "SELECT 1"), level: 2 };
    expect(ExportRow.parse(imitated)).toEqual({ ...imitated, ...LEFT_OUT });
  });

  it("never loses whether a sample was simulated", () => {
    expect(ExportRow.safeParse({ ...ROW, simulated: undefined }).success).toBe(false);
  });

  it("refuses a row without a prompt or a place", () => {
    expect(ExportRow.safeParse({ ...ROW, prompt: [] }).success).toBe(false);
    expect(ExportRow.safeParse({ ...ROW, index: -1 }).success).toBe(false);
  });
});

describe("defineExporter", () => {
  it("marks the plug by its kind and keeps its parts", () => {
    const exporter = defineExporter({
      id: "lines",
      version: 3,
      format: "jsonl",
      set: "rl",
      columns: [],
      lossy: ["weights"],
      usage: "",
      row: ({ example: { question } }) => ({ question }),
    });
    expect(exporter).toMatchObject({ kind: "exporter", id: "lines", version: 3, lossy: ["weights"] });
    expect(exporter.row(ExportRow.parse(ROW))).toEqual({ question: "Question a?" });
  });
});
