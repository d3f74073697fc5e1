import { describe, expect, it } from "vitest";
import { toolCallText, toolTranscript } from "../../../synth/simulated/tool-transcript.ts";

const assistant = (content: string) => ({ role: "assistant", content });
const user = (content: string) => ({ role: "user", content });
const response = (text: string) => `<tool_response>\n${text}\n</tool_response>`;

describe("toolTranscript", () => {
  it("pairs calls in the text with what came back, and finds what is left", () => {
    const transcript = [
      assistant(`<scratch_pad>a</scratch_pad>\n${toolCallText("sqlite_query", { sql: "SELECT '{'" })}`),
      user(response("{\n[no fault]\n[8 replies left]")),
      assistant("nothing to call"),
      user(response("Your reply has no action.\n[1 reply left: it must be the final query]")),
    ];
    expect(toolTranscript(transcript)).toEqual({
      turn: 2,
      calls: [
        { name: "sqlite_query", arguments: { sql: "SELECT '{'" }, result: "{\n[no fault]\n[8 replies left]" },
      ],
      turnsLeft: 1,
    });
  });

  it("reads calls through the server's interface", () => {
    const calls = [{ name: "exec_sql", arguments: { code: "SELECT 1" } }];
    const transcript = [
      { ...assistant(""), toolCalls: calls },
      { role: "tool", content: "Outcome: result\n[4 replies left]" },
    ];
    expect(toolTranscript(transcript)).toEqual({
      turn: 1,
      calls: [
        { name: "exec_sql", arguments: { code: "SELECT 1" }, result: "Outcome: result\n[4 replies left]" },
      ],
      turnsLeft: 4,
    });
  });

  it("knows nothing before the first reply", () => {
    expect(toolTranscript([])).toEqual({ turn: 0, calls: [], turnsLeft: null });
  });
});
