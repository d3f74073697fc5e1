import { describe, expect, it } from "vitest";
import type { Json } from "../../core/key.ts";
import type { ToolResult } from "../../core/tool.ts";
import type { Message } from "../../core/trajectory.ts";
import { dataframeText } from "../../synth/dataframe-text.ts";
import { retoolRules, RetoolOptions, retoolTools } from "../../synth/retool-episode.ts";
import retool from "../../synth/scaffolds/retool-sql.ts";
import { modelReply } from "../fakes/model.ts";
import { failedReply, tableReply } from "../fakes/sql-runner.ts";
import { openingOf } from "./episode-rows.ts";

const LIMITS = { maxRows: 20, maxCellCharacters: 100, maxCharacters: 2_000 };
const call = (name: string, given: Record<string, string>) =>
  `<tool_call>${JSON.stringify({ name, arguments: given })}</tool_call>`;
const run = (sql: string) => call("sqlite_query", { sql });
const PEEK = call("sqlite_peek", { table: "boat", column: "name" });
const SEARCH = call("bm25_search_sqlite", { query: "Tern" });
const FINAL = '<schema>{"boat":["name"]}</schema><final_answer>SELECT name FROM boat</final_answer>';

function table(rows: (string | null)[][]): ToolResult {
  const reply = tableReply(["name"], rows);
  return { text: dataframeText(reply, LIMITS), ok: true, execution: reply.execution };
}

const ERROR: ToolResult = {
  text: "Error: no such column: nme",
  ok: false,
  execution: failedReply("error", "no such column: nme").execution,
};
const NOTHING = table([]);
const NULLS = table([["Tern"], [null]]);
const ROWS = table([["Tern"]]);

/** Plays replies behind a pad, each with the result that its call gets; tells what came of each. */
function play(
  replies: readonly (readonly [reply: string, result?: ToolResult])[],
  given: Record<string, Json> = {},
): string[] {
  const options = retool.options.parse(given);
  const opening = openingOf();
  const messages: Message[] = [...retool.open(opening, options)];
  return replies.map(([text, result = ROWS], turn) => {
    const message = retool.read(modelReply(`<scratch_pad>so</scratch_pad>${text}`), options);
    const state = { turn, turnsLeft: 8 - turn, opening, messages: [...messages] };
    const reaction = retool.react(message, state, options);
    messages.push(message);
    if (reaction.kind === "remind") messages.push(...reaction.messages);
    if (reaction.kind === "stop") return `stop ${reaction.detail ?? ""}`;
    if (reaction.kind === "remind") return reaction.messages[0]?.trainReason ?? "";
    if (reaction.kind !== "act") return reaction.kind;
    messages.push(
      ...retool.observe(
        reaction.actions.map((action) => ({ action, result })),
        state,
        options,
      ),
    );
    return reaction.actions[0]?.toolId ?? "";
  });
}

describe("repairs", () => {
  it.each([
    ["an error", ERROR],
    ["no rows", NOTHING],
    ["a NULL", NULLS],
  ])("may follow %s, and others after them", (_, result) => {
    expect(play([[run("a"), result], [PEEK], [SEARCH], [run("b")], [FINAL]])).toEqual([
      "sqlite-query",
      "sqlite-peek",
      "bm25-search-sqlite",
      "sqlite-query",
      "answer",
    ]);
  });

  it("may not come first, nor after a sound result, even where an earlier one had a fault", () => {
    expect(play([[PEEK], [run("a"), ERROR], [run("b"), ROWS], [PEEK], [SEARCH]])).toEqual([
      "guardrail_wrong_transition",
      "sqlite-query",
      "sqlite-query",
      "guardrail_wrong_transition",
      "guardrail_wrong_transition",
    ]);
  });

  it("are made once they may be that were refused before", () => {
    expect(play([[PEEK], [run("a"), ERROR], [PEEK], [PEEK]])).toEqual([
      "guardrail_wrong_transition",
      "sqlite-query",
      "sqlite-peek",
      "guardrail_repeated_call",
    ]);
  });

  it("end the episode in training mode, and pass where they are not checked", () => {
    expect(play([[PEEK]], { guardrails: { mode: "training" } })).toEqual(["stop wrong_transition"]);
    expect(play([[PEEK]], { guardrails: { checks: ["repeated_call"] } })).toEqual(["sqlite-peek"]);
    const rules = retoolRules(RetoolOptions.parse({ guardrails: { checks: [] } }));
    expect(rules.refusesEarlyRepair).toBe(false);
  });
});

describe("answers", () => {
  it("need a query that was run, and the schema in this reply or an earlier one", () => {
    const bare = "<final_answer>SELECT name FROM boat</final_answer>";
    expect(play([[FINAL], [run("a"), ERROR], [bare], [FINAL]])).toEqual([
      "guardrail_untested_answer",
      "sqlite-query",
      "guardrail_malformed_answer",
      "answer",
    ]);
    expect(play([[`<schema>{"boat":["name"]}</schema>${run("a")}`], [bare]])).toEqual([
      "sqlite-query",
      "answer",
    ]);
    expect(play([[`<schema>{}</schema>${PEEK}`], [run("a")], [bare]])).toEqual([
      "guardrail_wrong_transition",
      "sqlite-query",
      "guardrail_malformed_answer",
    ]);
  });

  it("are the first of several actions where those are not checked", () => {
    const checks = ["repeated_call"];
    expect(play([[`${FINAL}${run("a")}`]], { guardrails: { checks } })).toEqual(["answer"]);
    expect(play([[`${run("a")}${FINAL}`]], { guardrails: { checks } })).toEqual(["sqlite-query"]);
  });
});

describe("retoolTools", () => {
  it("sets up the query tool, and the repairing ones as they are", () => {
    expect(retoolTools(RetoolOptions.parse({ maxRows: 7 }))).toEqual([
      { id: "sqlite-query", options: { maxRows: 7, maxCellCharacters: 150, cpuMs: 30_000 } },
      { id: "sqlite-peek", options: {} },
      { id: "bm25-search-sqlite", options: {} },
    ]);
  });
});
