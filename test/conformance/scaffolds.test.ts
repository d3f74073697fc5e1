import path from "node:path";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../core/key.ts";
import type { FinishReason, ModelReply } from "../../core/model.ts";
import type { Opening } from "../../core/scaffold.ts";
import { Message, Trajectory } from "../../core/trajectory.ts";
import { openLedger } from "../../io/ledger.ts";
import { chatMessages } from "../../synth/chat-messages.ts";
import { runEpisode } from "../../synth/run-episode.ts";
import { modelReply, ScriptedModel } from "../fakes/model.ts";
import { NO_PROFILER } from "../fakes/run-stage.ts";
import { FakeSqlRunner } from "../fakes/sql-runner.ts";
import { openingOf, planOf } from "../synth/episode-rows.ts";
import { example, plugs } from "../synth/synth-rows.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ids = await plugs.list("scaffold");

const call = (argumentsRaw: string, parsed: { sql: string } | null) => ({
  id: "c1",
  name: "sql",
  argumentsRaw,
  arguments: parsed,
});

/** Contents that no protocol asks for, and some that only one does. */
const CONTENTS: readonly string[] = [
  "",
  " ",
  "\0\uFFFF\uD800",
  "SELECT 1",
  "```sql\nSELECT 1\n```",
  "```sql\nSELECT 1",
  "```json\n{}\n```",
  "<think>",
  "</think>",
  "<think></think>",
  "<think>a</think>b</think>c",
  "<sql>SELECT 1",
  "<sql>SELECT 1</sql>",
  "</sql><sql>",
  "<solution>SELECT 1</solution>",
  "<solution></solution>",
  "<observation>1</observation>",
  "<reasoning>a",
  "<reasoning>a</reasoning><sql>SELECT 1</sql><solution>SELECT 2</solution>",
  '<tool_call>{"name":"sql","arguments":{"sql":"SELECT 1"}}</tool_call>',
  '<tool_call>{"name":"sql","arguments":"{',
  '<tool_call>{"name":"nothing","arguments":[]}</tool_call>',
  "<tool_call>null</tool_call>",
  "<tool_response>1</tool_response>",
  "<final_answer>SELECT 1</final_answer>",
  '{"__proto__":{"a":1}}',
  "<<<<>>>>",
  "<sql>".repeat(2000),
  "`".repeat(5000),
  "日本語 😀 ".repeat(300),
  "a\r\nb\u2028c",
];
const FINISH: readonly FinishReason[] = ["stop", "length", "tool_calls", "content_filter"];
const ODD: readonly ModelReply[] = [
  ...CONTENTS.map((content, index) =>
    modelReply(content, { finishReason: FINISH[index % 4] ?? "stop", rawExact: index % 2 === 0 }),
  ),
  ...CONTENTS.slice(0, 12).map((content) => modelReply(content)),
  modelReply("", { reasoning: "</think><sql>SELECT 1</sql>" }),
  modelReply("<solution>SELECT 1</solution>", { reasoning: "" }),
  modelReply("", {
    toolCalls: [call('{"sql":"SELECT 1"}', { sql: "SELECT 1" })],
    finishReason: "tool_calls",
  }),
  modelReply("x", { toolCalls: [call('{"sql"', null), call("", null)], finishReason: "length" }),
];

const FOLLOW_UP: Opening = openingOf({
  example: example("4:1", {
    question: " And Sundays? ",
    evidence: "Day 7.",
    gold: ["SELECT secret FROM boat"],
  }),
  history: [{ question: "How many?", sql: "SELECT count(*) FROM boat" }],
});
const OPENINGS: readonly Opening[] = [
  openingOf(),
  FOLLOW_UP,
  openingOf({ schemaText: "" }),
  openingOf({ schemaText: "</observation><solution>" }),
].map((opening) => deepFreeze(opening));

it("finds scaffolds", () => {
  expect(ids).toEqual(expect.arrayContaining(["single-turn", "sql-trail"]));
});

describe.each(ids)("scaffold %s", async (id) => {
  const scaffold = await plugs.find("scaffold", id);
  const options: unknown = scaffold.options.parse({});
  const nativeTools = scaffold.nativeTools(options);
  const tools = await Promise.all(scaffold.tools(options).map((use) => plugs.find("tool", use.id)));

  it("is a scaffold whose default options stand", () => {
    expect(scaffold.kind).toBe("scaffold");
    expect(Number.isInteger(scaffold.version) && scaffold.version > 0).toBe(true);
    expect(scaffold.options.parse(options)).toEqual(options);
    expect(scaffold.maxTurns(options)).toBeGreaterThanOrEqual(1);
    for (const stop of scaffold.stops(options)) expect(stop).not.toBe("");
    for (const [index, use] of scaffold.tools(options).entries()) {
      expect(tools[index]?.options.safeParse(use.options).success).toBe(true);
    }
  });

  it("opens with given messages, the same ones each time", () => {
    for (const opening of OPENINGS) {
      const messages = scaffold.open(opening, options);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.at(-1)?.role).toBe("user");
      for (const message of messages) {
        expect(Message.parse(message)).toEqual(message);
        expect(message).toMatchObject({ origin: "given", train: false, weight: 0 });
        expect(message.rawText).toBe(message.content);
      }
      expect(scaffold.open(structuredClone(opening), options)).toEqual(messages);
      const shown = messages.map(({ rawText }) => rawText).join("\n");
      expect(shown).toContain(opening.example.question.trim());
      expect(shown).toContain(opening.schemaText.trim());
      if (!scaffold.readsGold) expect(shown).not.toContain("secret");
    }
  });

  it("keeps replies as they were sampled, and sends them back so where thoughts are kept", () => {
    for (const reply of ODD) {
      const message = scaffold.read(deepFreeze(structuredClone(reply)), options);
      expect(Message.parse(message)).toEqual(message);
      expect(message).toMatchObject({ role: "assistant", origin: "sampled", train: true, weight: 1 });
      const thought = reply.reasoning === null ? "" : `<think>\n${reply.reasoning}\n</think>\n\n`;
      const sampled = `${thought}${reply.content}`;
      expect(message.rawText.startsWith(sampled)).toBe(true);
      const restored = message.rawText.slice(sampled.length);
      expect(["", ...scaffold.stops(options)]).toContain(restored);
      const isWhole = reply.reasoning === null && restored === "" && reply.toolCalls.length === 0;
      expect(message.rawExact).toBe(reply.rawExact && isWhole);
      if (scaffold.pastThoughts !== "kept" || nativeTools) continue;
      expect(chatMessages([message], { pastThoughts: scaffold.pastThoughts, nativeTools })[0]?.content).toBe(
        message.rawText,
      );
    }
  });

  it("reacts to odd replies, and never throws for them", () => {
    for (const opening of OPENINGS) {
      for (const turnsLeft of [0, 1, 5]) {
        for (const reply of ODD) {
          const state = { turn: 0, turnsLeft, opening, messages: scaffold.open(opening, options) };
          const message = scaffold.read(reply, options);
          const reaction = scaffold.react(deepFreeze(message), deepFreeze(state), options);
          expect(scaffold.react(message, state, options)).toEqual(reaction);
          if (reaction.kind === "answer") expect(reaction.sql.trim()).not.toBe("");
          if (reaction.kind !== "remind") continue;
          for (const injected of reaction.messages) {
            expect(injected).toMatchObject({ origin: "injected", train: false, weight: 0 });
            expect(injected.trainReason).toMatch(/^[a-z]+(_[a-z]+)*$/);
          }
        }
      }
    }
  });

  it("ends within its turns when the model talks nonsense, the same way each time", async () => {
    const ledger = await openLedger(path.join(await temporaryFolder(), "ledger.sqlite"));
    for (const first of [0, 7, 13, 21, 31]) {
      const plan = planOf(scaffold, tools, { opening: FOLLOW_UP, sampleIndex: first });
      const nonsense = ODD.filter(({ finishReason }) => finishReason === "stop");
      const run = async (into: typeof ledger) => {
        const model = new ScriptedModel((_, turn) => nonsense[(first + turn) % nonsense.length] ?? "");
        const { signal } = new AbortController();
        const outcome = await runEpisode(plan, {
          model,
          ledger: into,
          sql: new FakeSqlRunner(),
          profiler: NO_PROFILER,
          signal,
        });
        expect(model.requests.length).toBeLessThanOrEqual(scaffold.maxTurns(options));
        return outcome;
      };
      const outcome = await run(ledger);
      if (outcome.kind !== "finished") throw new Error("expected a finished sample");
      expect(Trajectory.parse(outcome.trajectory)).toEqual(outcome.trajectory);
      expect(outcome.trajectory.messages.at(-1)?.role).toBe("assistant");
      const other = await openLedger(path.join(await temporaryFolder(), "ledger.sqlite"));
      expect(await run(other)).toEqual(outcome);
      await other.close();
    }
    await ledger.close();
  });
});
