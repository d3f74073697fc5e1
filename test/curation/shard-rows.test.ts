import { describe, expect, it } from "vitest";
import openrlhf from "../../curation/exporters/openrlhf.ts";
import { readFacts, ShardRows } from "../../curation/shard-rows.ts";
import type { ExportRow, ShardForm } from "../../core/shard.ts";
import type { StageContext } from "../../core/stage.ts";
import { rowsOf } from "../fakes/run-stage.ts";
import {
  exportRow,
  message,
  NO_FACTS,
  openForm,
  SQL_TOOL,
  sqlCall,
  trajectory,
} from "../interop/fixture-rows.ts";

const context = {
  signal: new AbortController().signal,
  progress: () => undefined,
} as unknown as StageContext;
const form = openForm(openrlhf, {}, NO_FACTS) as ShardForm;
const shardRows = (rows: readonly ExportRow[], staged = false) =>
  new ShardRows(rowsOf(rows)(), { exporter: openrlhf, form, context, staged });

describe("readFacts", () => {
  it("gathers the tools of all rows", async () => {
    const rows = [
      exportRow("1", { toolNames: ["peek"] }),
      exportRow("2", { toolNames: ["execute_sql"], tools: [SQL_TOOL] }),
    ];
    expect(await readFacts(rowsOf(rows), "d")).toEqual({
      toolNames: ["peek", "execute_sql"],
      tools: [SQL_TOOL],
      datasetName: "d",
    });
    expect(await readFacts(null, "d")).toEqual({ toolNames: [], tools: [], datasetName: "d" });
  });
});

describe("ShardRows", () => {
  it("measures bytes of prompts and of whole rows, tools and calls included", async () => {
    const replies = [
      message("assistant", "é", { toolCalls: [sqlCall("c", "SELECT 1")] }),
      message("tool", "123"),
    ];
    const rows = shardRows([
      exportRow("1", { prompt: [message("user", "1234567890")], trajectory: trajectory("1", replies) }),
      exportRow("2", { prompt: [message("user", "1")], scaffold: { id: "s", version: 1, options: {} } }),
    ]);
    for (let next = await rows.peek(); next !== null; next = await rows.peek()) {
      for await (const _ of rows.take(next, 10)) continue;
    }
    const call = 'execute_sql{"sql":"SELECT 1"}'.length;
    expect(rows.content()).toEqual({
      rows: { train: 2, validation: 0 },
      longest: { promptBytes: 10, rowBytes: 15 + call, turns: 1 },
      scaffolds: ["s"],
    });
  });

  it("starts a stage with each level, anew in each split", async () => {
    const level = (mark: string, at: number, split: ExportRow["split"] = "train") =>
      exportRow(mark, { level: at, split });
    const rows = shardRows([level("1", 0), level("2", 0), level("3", 2), level("4", 0, "validation")], true);
    const stages: [string, number][] = [];
    for (let next = await rows.peek(); next !== null; next = await rows.peek()) {
      stages.push([next.split, next.stage]);
      for await (const _ of rows.take(next, 1)) continue;
    }
    expect(stages).toEqual([
      ["train", 0],
      ["train", 0],
      ["train", 1],
      ["validation", 0],
    ]);
  });

  it("counts where prompts come from, and refuses what the exporter cannot hold", async () => {
    const rows = shardRows([
      exportRow("1", { tools: [SQL_TOOL] }),
      exportRow("2", { promptFrom: "rollouts" }),
    ]);
    expect((await rows.peek())?.cells).toHaveLength(1);
    expect(rows.prompts).toEqual({ rollouts: 1, rollouts_differ: 0, no_rollout: 0 });
    expect(rows.takeRejects()).toMatchObject([{ rowId: "a1000000000000000000000000000000" }]);
    expect(rows.firstRefusal).toContain("which OpenRLHF cannot show");
  });
});
