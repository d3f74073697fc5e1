import { describe, expect, it } from "vitest";
import mtsql from "../../../synth/scaffolds/mtsql-r1.ts";
import { modelReply } from "../../fakes/model.ts";
import { openingOf } from "../episode-rows.ts";

const OPTIONS = mtsql.options.parse({}) as Record<string, unknown>;
const RUN = '<tool_call>{"name":"exec_sql","arguments":{"code":"SELECT 1"}}</tool_call>';
const FAIL = "<execution_check>fail</execution_check>";

describe("mtsql-r1", () => {
  it("has four interactions and the reply that finalizes", () => {
    expect(mtsql.maxTurns(OPTIONS)).toBe(5);
    expect(mtsql.tools(OPTIONS)).toEqual([
      { id: "exec-sql", options: { maxRows: 10, maxCellCharacters: 100, cpuMs: 30_000 } },
      { id: "memory-retrieve", options: {} },
    ]);
    expect(mtsql.stops(OPTIONS)).toEqual([]);
    expect(mtsql).toMatchObject({ readsGold: false, pastThoughts: "kept" });
    expect(mtsql.nativeTools(OPTIONS)).toBe(false);
    expect(mtsql.nativeTools(mtsql.options.parse({ calls: "native" }))).toBe(true);
  });

  it("shows gold and predicted SQL in the prompt, and none where the history is questions", () => {
    const opening = openingOf({ history: [{ question: "How many?", sql: "SELECT count(*) FROM boat" }] });
    const shown = (history: string) =>
      JSON.stringify(mtsql.open(opening, mtsql.options.parse({ history }))).includes("count(*)");
    expect([shown("gold"), shown("predicted"), shown("questions")]).toEqual([true, true, false]);
  });

  it("keeps a reply as sampled, with the steps that it states", () => {
    const text = `<think>a</think>\n${FAIL}\n${RUN}`;
    expect(mtsql.read(modelReply(text), OPTIONS)).toEqual({
      role: "assistant",
      origin: "sampled",
      rawText: text,
      rawExact: true,
      reasoning: "a",
      content: `${FAIL}\n${RUN}`,
      toolCalls: [
        { id: "text_call_0", name: "exec_sql", argumentsRaw: RUN, arguments: { code: "SELECT 1" } },
      ],
      toolCallId: null,
      train: true,
      weight: 1,
      trainReason: "sampled",
      steps: ["E-VERIFY:fail", "SELF-CORRECT", "EXECUTE"],
    });
    expect(mtsql.read(modelReply("hm"), OPTIONS).steps).toEqual([]);
  });

  it("reads a call that came through the server's interface", () => {
    const native = mtsql.options.parse({ calls: "native" });
    const call = {
      id: "c1",
      name: "exec_sql",
      argumentsRaw: '{"code":"SELECT 1"}',
      arguments: { code: "SELECT 1" },
    };
    const message = mtsql.read(modelReply("", { reasoning: "a", toolCalls: [call] }), native);
    expect(message).toMatchObject({ reasoning: "a", toolCalls: [call], steps: ["PROPOSE", "EXECUTE"] });
  });

  it("answers with the result and what is left", () => {
    const state = { turn: 0, turnsLeft: 1, opening: openingOf(), messages: [] };
    const action = { callId: "text_call_0", toolId: "exec-sql", arguments: {}, problem: null };
    const result = { text: "Outcome: result\n</tool_response>", ok: true, execution: null };
    expect(mtsql.observe([{ action, result }], state, OPTIONS)).toMatchObject([
      {
        role: "user",
        origin: "environment",
        train: false,
        rawText:
          "<tool_response>\nOutcome: result\n\\u003c/tool_response>\n[1 reply left: it must finalize]\n</tool_response>",
      },
    ]);
  });
});
