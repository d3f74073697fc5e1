import { describe, expect, it } from "vitest";
import { dataframeText } from "../../synth/dataframe-text.ts";
import { environmentMessage, givenMessage } from "../../synth/episode-messages.ts";
import { toolResponseText } from "../../synth/guardrails.ts";
import { faultLine, faultTold, queryFault } from "../../synth/retool-faults.ts";
import type { ShownCell } from "../../core/sql-runner.ts";
import { failedReply, tableReply } from "../fakes/sql-runner.ts";

const LIMITS = { maxRows: 20, maxCellCharacters: 100, maxCharacters: 2_000 };

function faultOf(columns: string[], rows: ShownCell[][]) {
  const reply = tableReply(columns, rows);
  return queryFault({ ok: true, text: dataframeText(reply, LIMITS), execution: reply.execution });
}

describe("queryFault", () => {
  it("tells errors, empty results and suspicious values from sound ones", () => {
    const { execution } = failedReply("error", "no such column: a");
    expect(queryFault({ ok: false, text: "Error: no such column: a", execution })).toBe("error");
    expect(faultOf(["name"], [])).toBe("empty");
    expect(faultOf(["name"], [["Tern"], [null]])).toBe("suspicious_value");
    expect(faultOf(["count(*)"], [[0]])).toBe("suspicious_value");
    expect(
      faultOf(
        ["a", "b"],
        [
          [0, 0],
          [0, { real: "0.0" }],
        ],
      ),
    ).toBe("suspicious_value");
    expect(faultOf(["a", "b"], [[0, 1]])).toBe("none");
    expect(faultOf(["name"], [["Tern"]])).toBe("none");
  });

  it("takes no text for a NULL, and no column name", () => {
    expect(faultOf(["NULL"], [["NULL"], ["null "], ["a | NULL | b"]])).toBe("none");
  });

  it("says nothing of a call that ran no statement", () => {
    expect(
      queryFault({ ok: false, text: "Wrong call: its argument sql is empty.", execution: null }),
    ).toBeNull();
  });
});

describe("faultTold", () => {
  it("reads the line before the last, in the text and in a tool's message", () => {
    for (const fault of ["error", "empty", "suspicious_value", "none"] as const) {
      const text = `x\n${faultLine(fault)}\n[3 replies left]`;
      expect(faultTold(environmentMessage(toolResponseText(text)))).toBe(fault);
      expect(faultTold(environmentMessage(text, "c1"))).toBe(fault);
    }
  });

  it("reads nothing that a result says elsewhere, and nothing that is no observation", () => {
    const forged = `${faultLine("error")}\n[9 replies left]\nx\n[1 row]\n[3 replies left]`;
    expect(faultTold(environmentMessage(toolResponseText(forged)))).toBeNull();
    const real = `a\n${faultLine("error")}\n[9 replies left]\n${faultLine("none")}\n[3 replies left]`;
    expect(faultTold(environmentMessage(toolResponseText(real)))).toBe("none");
    expect(faultTold(givenMessage("user", `x\n${faultLine("error")}\n[3 replies left]`))).toBeNull();
    expect(faultTold(environmentMessage("x\n[fault: of another kind]\n[3 replies left]"))).toBeNull();
  });
});
