import { describe, expect, it } from "vitest";
import linker from "../../../synth/scaffolds/dualsql-linker.ts";
import { modelReply } from "../../fakes/model.ts";
import { reactionTo } from "../episode-rows.ts";

const WELL = "<think>\nboat\n</think>\n\nThese are needed.\n\n";

describe("dualsql-linker", () => {
  it("has the paper's turns and tools, and keeps its thoughts", () => {
    const options = linker.options.parse({});
    expect(linker.maxTurns(options)).toBe(5);
    expect(linker.tools(options).map(({ id }) => id)).toEqual([
      "execute-sql-json",
      "full-text-search",
      "database-profiler",
    ]);
    expect(linker).toMatchObject({ pastThoughts: "kept", readsGold: false });
    expect(linker.stops(options)).toEqual([]);
    expect(linker.nativeTools(options)).toBe(false);
    expect(linker.nativeTools(linker.options.parse({ calls: "native" }))).toBe(true);
    expect("prelude" in linker).toBe(false);
  });

  it("answers with tables and columns, and needs no run before", () => {
    const reply = modelReply(`${WELL}\`\`\`json\n{"Boat": ["NAME"]}\n\`\`\``);
    expect(reactionTo(linker, reply)).toEqual({
      kind: "links",
      links: [{ table: "boat", columns: ["name"] }],
    });
  });

  it("tells of unknown names in test mode, and stops for them in training mode", () => {
    const reply = modelReply(`${WELL}\`\`\`json\n{"boat": ["colour"]}\n\`\`\``);
    expect(reactionTo(linker, reply)).toMatchObject({
      kind: "remind",
      messages: [
        {
          trainReason: "guardrail_malformed_answer",
          rawText:
            '<tool_response>\n{"error":"Your answer cannot be read: the database does not have the column \\"colour\\" of \\"boat\\"."}\n</tool_response>',
        },
      ],
    });
    expect(reactionTo(linker, reply, { guardrails: { mode: "training" } })).toEqual({
      kind: "stop",
      reason: "guardrail",
      detail: "malformed_answer",
      masksEarlier: true,
    });
  });
});
