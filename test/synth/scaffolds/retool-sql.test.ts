import { describe, expect, it } from "vitest";
import retool from "../../../synth/scaffolds/retool-sql.ts";
import { modelReply } from "../../fakes/model.ts";
import { failedReply } from "../../fakes/sql-runner.ts";
import { openingOf } from "../episode-rows.ts";

const OPTIONS = retool.options.parse({}) as Record<string, unknown>;
const RUN = '<tool_call>{"name":"sqlite_query","arguments":{"sql":"SELECT 1"}}</tool_call>';

describe("retool-sql", () => {
  it("has eight turns with a tool and the answer", () => {
    expect(retool.maxTurns(OPTIONS)).toBe(9);
    expect(retool.maxTurns({ ...OPTIONS, maxTurns: 3 })).toBe(3);
    expect(retool.stops(OPTIONS)).toEqual([]);
    expect(retool).toMatchObject({ readsGold: false, pastThoughts: "kept" });
    expect(retool.nativeTools(OPTIONS)).toBe(false);
    expect(retool.nativeTools(retool.options.parse({ calls: "native" }))).toBe(true);
  });

  it("keeps a reply as sampled, with its pad as thought and its call", () => {
    const text = `<think>a</think>\n<scratch_pad>b</scratch_pad>\n${RUN}`;
    expect(retool.read(modelReply(text), OPTIONS)).toEqual({
      role: "assistant",
      origin: "sampled",
      rawText: text,
      rawExact: true,
      reasoning: "a\n\nb",
      content: `<scratch_pad>b</scratch_pad>\n${RUN}`,
      toolCalls: [
        { id: "text_call_0", name: "sqlite_query", argumentsRaw: RUN, arguments: { sql: "SELECT 1" } },
      ],
      toolCallId: null,
      train: true,
      weight: 1,
      trainReason: "sampled",
    });
  });

  it("leaves the pad to the content where calls go through the server's interface", () => {
    const native = retool.options.parse({ calls: "native" });
    const call = {
      id: "c1",
      name: "sqlite_query",
      argumentsRaw: '{"sql":"SELECT 1"}',
      arguments: { sql: "SELECT 1" },
    };
    const reply = modelReply("<scratch_pad>b</scratch_pad>", { reasoning: "a", toolCalls: [call] });
    expect(retool.read(reply, native)).toMatchObject({
      reasoning: "a",
      content: "<scratch_pad>b</scratch_pad>",
      toolCalls: [call],
    });
    const silent = modelReply("<scratch_pad>b</scratch_pad>", { toolCalls: [call] });
    expect(retool.read(silent, native).reasoning).toBeNull();
  });

  it("tells of the fault that a query shows, never of another tool's, and what is left", () => {
    const state = { turn: 0, turnsLeft: 4, opening: openingOf(), messages: [] };
    const result = { text: "Error: x", ok: false, execution: failedReply("error", "x").execution };
    const action = { callId: "text_call_0", toolId: "sqlite-query", arguments: {}, problem: null };
    expect(retool.observe([{ action, result }], state, OPTIONS)).toMatchObject([
      {
        role: "user",
        origin: "environment",
        train: false,
        rawText: "<tool_response>\nError: x\n[fault: an error]\n[4 replies left]\n</tool_response>",
      },
    ]);
    const peek = { ...action, callId: "c1", toolId: "sqlite-peek" };
    expect(retool.observe([{ action: peek, result }], { ...state, turnsLeft: 1 }, OPTIONS)).toMatchObject([
      { role: "tool", toolCallId: "c1", rawText: "Error: x\n[1 reply left: it must be the final query]" },
    ]);
  });
});
