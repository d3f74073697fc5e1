import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import type { Json } from "../../core/key.ts";
import { defineScaffold } from "../../core/scaffold.ts";
import { Trajectory } from "../../core/trajectory.ts";
import type { SqliteLedger } from "../../io/ledger.ts";
import { environmentMessage, givenMessage, sampledMessage } from "../../synth/episode-messages.ts";
import { resolvePlan, type EpisodePlan } from "../../synth/episode-plan.ts";
import { runEpisode, type EpisodeServices } from "../../synth/run-episode.ts";
import singleTurn from "../../synth/scaffolds/single-turn.ts";
import sqlTrail from "../../synth/scaffolds/sql-trail.ts";
import sqlTool from "../../synth/tools/execute-sql-dataframe.ts";
import { modelReply, type ScriptLine } from "../fakes/model.ts";
import { openingOf, planOf } from "./episode-rows.ts";
import { COUNT, idOf, NAMES, SCRIPT, services, TRAIL } from "./episode-services.ts";

async function trajectoryOf(plan: EpisodePlan, given: EpisodeServices): Promise<Trajectory> {
  const outcome = await runEpisode(plan, given);
  if (outcome.kind !== "finished") throw new Error(`discarded: ${outcome.reason}`);
  return outcome.trajectory;
}

describe("runEpisode", () => {
  it("plays an episode to its answer", async () => {
    const given = await services(SCRIPT);
    const trajectory = await trajectoryOf(TRAIL, given);
    expect(Trajectory.parse(trajectory)).toEqual(trajectory);
    expect(trajectory).toMatchObject({
      id: idOf(TRAIL),
      exampleId: TRAIL.opening.example.id,
      source: "sampled",
      pastThoughts: "kept",
      finalSql: NAMES,
      stopReason: "answered",
      usage: { promptTokens: 300, completionTokens: 30, costMicroUsd: 21 },
      model: { name: "student", revision: "r1" },
    });
    expect(trajectory.scaffold).toMatchObject({ id: "sql-trail", options: { maxTurns: 10 } });
    expect(trajectory.messages.map(({ origin, train, trainReason }) => [origin, train, trainReason])).toEqual(
      [
        ["given", false, "prompt"],
        ["given", false, "prompt"],
        ["sampled", true, "sampled"],
        ["environment", false, "environment"],
        ["sampled", true, "sampled"],
        ["injected", false, "reminder_no_tag"],
        ["sampled", true, "sampled"],
      ],
    );
    expect(trajectory.messages[3]?.rawText).toBe(
      "<observation>\ncount(*)\n3\n[1 row]\n[9 replies left]\n</observation>",
    );
    expect(given.ledger.outcome(trajectory.id)).toEqual({ kind: "finished", trajectory });
    expect(given.ledger.turns(trajectory.id).map(({ observation }) => observation !== null)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("sends what the episode says so far, with stops and a seed of its own for every turn", async () => {
    const given = await services(SCRIPT);
    const trajectory = await trajectoryOf(TRAIL, given);
    const [first, second, third] = given.model.requests;
    expect(first).toMatchObject({
      model: "student",
      tools: [],
      sampling: { temperature: 1, topP: 0.99, topK: -1, maxTokens: 2048, stop: ["</sql>", "</solution>"] },
    });
    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(third?.messages.map(({ content }) => content)).toEqual(
      trajectory.messages.slice(0, -1).map(({ rawText }) => rawText),
    );
    const seeds = [first?.seed, second?.seed, third?.seed];
    expect(new Set(seeds).size).toBe(3);
    for (const seed of seeds) expect(seed).toBeLessThan(2 ** 31);
    expect(trajectory.seed).toBe(first?.seed);
    const again = await services(SCRIPT);
    await trajectoryOf(TRAIL, again);
    expect(again.model.requests).toEqual(given.model.requests);
    const other = await services(SCRIPT);
    await trajectoryOf({ ...TRAIL, sampleIndex: 1 }, other);
    expect(other.model.requests[0]?.seed).not.toBe(first?.seed);
    const unseeded = await services(SCRIPT);
    expect((await trajectoryOf({ ...TRAIL, seed: null }, unseeded)).seed).toBeNull();
    expect(unseeded.model.requests[0]?.seed).toBeNull();
  });

  it("gives what the ledger knows the end of, without a call", async () => {
    const given = await services(SCRIPT);
    const trajectory = await trajectoryOf(TRAIL, given);
    const silent = await services([], given.ledger);
    expect(await trajectoryOf(TRAIL, silent)).toEqual(trajectory);
    const other = { ...TRAIL, sampleIndex: 1 };
    await given.ledger.openSample(idOf(other), resolvePlan(other).identity);
    await given.ledger.finish(idOf(other), { kind: "discarded", reason: "first_wrong" });
    expect(await runEpisode(other, silent)).toEqual({ kind: "discarded", reason: "first_wrong" });
    expect(silent.model.requests).toEqual([]);
  });
});

/** How an episode of the sql-trail scaffold ends. */
async function ending(script: readonly ScriptLine[], parts: Partial<EpisodePlan> = {}) {
  const given = await services(script);
  const { stopReason, finalSql, messages } = await trajectoryOf({ ...TRAIL, ...parts }, given);
  const asked = given.model.requests.length;
  return { stopReason, finalSql, asked, ran: given.sql.requests.length, last: messages.at(-1)?.origin };
}

const cut = (text: string) => modelReply(text, { finishReason: "length" });

describe("ends of an episode", () => {
  const none = { finalSql: null, last: "sampled" };

  it("at the turn budget, whose last action is not run", async () => {
    const script = [SCRIPT[0] ?? "", SCRIPT[0] ?? ""];
    const end = await ending(script, { options: { maxTurns: 2 } });
    expect(end).toEqual({ ...none, stopReason: "turn_budget", asked: 2, ran: 1 });
    const nonsense = await ending(["a", "b", "c"], { options: { maxTurns: 3 } });
    expect(nonsense).toEqual({ ...none, stopReason: "turn_budget", asked: 3, ran: 0 });
  });

  it("at the token budget, which caps what each reply may take", async () => {
    const given = await services(SCRIPT);
    const plan = { ...TRAIL, maxCompletionTokens: 20 };
    expect(await trajectoryOf(plan, given)).toMatchObject({ stopReason: "token_budget", finalSql: null });
    expect(given.model.requests.map(({ sampling }) => sampling.maxTokens)).toEqual([20, 10]);
    const answered = await ending(SCRIPT, { maxCompletionTokens: 30 });
    expect(answered).toMatchObject({ stopReason: "answered", finalSql: NAMES });
    expect(await ending([cut("<reasoning>and so")], { maxCompletionTokens: 10 })).toMatchObject({
      stopReason: "token_budget",
    });
  });

  it("at a cut reply, unless it answers", async () => {
    expect(await ending([cut("<reasoning>and so")])).toEqual({
      ...none,
      stopReason: "length",
      asked: 1,
      ran: 0,
    });
    expect(await ending([cut(`<sql>${COUNT}</sql> and`)])).toMatchObject({ stopReason: "length", ran: 0 });
    expect(await ending([cut(`<solution>${NAMES}`)])).toMatchObject({ stopReason: "length", finalSql: null });
    expect(await ending([cut(`<solution>${NAMES}</solution> and`)])).toMatchObject({
      stopReason: "answered",
      finalSql: NAMES,
    });
    const prose = { ...planOf(singleTurn, []) };
    expect(await ending([cut("SELECT")], prose)).toMatchObject({ stopReason: "length" });
  });

  it("at a filtered reply, which never answers", async () => {
    const filtered = modelReply(`<solution>${NAMES}</solution>`, { finishReason: "content_filter" });
    expect(await ending([filtered])).toEqual({ ...none, stopReason: "content_filter", asked: 1, ran: 0 });
  });

  it("where the scaffold stops", async () => {
    const end = await ending(["I do not know."], planOf(singleTurn, []));
    expect(end).toEqual({ ...none, stopReason: "no_answer", asked: 1, ran: 0 });
  });
});

describe("failures", () => {
  const failure = new GradusError("MODEL_UNAVAILABLE", "503");

  it("of the model leave the sample open, and what was paid for is replayed", async () => {
    const first = await services([SCRIPT[0] ?? "", failure]);
    await expect(runEpisode(TRAIL, first)).rejects.toBe(failure);
    const { ledger } = first;
    expect(ledger.outcome(idOf(TRAIL))).toBeUndefined();
    expect((ledger as SqliteLedger).eventCounts()).toEqual([{ code: "MODEL_UNAVAILABLE", count: 1 }]);
    const second = await services(SCRIPT.slice(1), ledger);
    expect(await trajectoryOf(TRAIL, second)).toMatchObject({ stopReason: "answered" });
    expect(second.model.requests).toHaveLength(2);
    expect(second.sql.requests).toEqual([]);
  });

  it("of the machinery behind a tool leave it open too", async () => {
    const given = await services(SCRIPT);
    given.sql.failure = new GradusError("SQL_WORKER_LOST", "no worker");
    await expect(runEpisode(TRAIL, given)).rejects.toMatchObject({ code: "SQL_WORKER_LOST" });
    expect((given.ledger as SqliteLedger).eventCounts()).toEqual([{ code: "SQL_WORKER_LOST", count: 1 }]);
    given.sql.failure = null;
    const second = await services(SCRIPT.slice(1), given.ledger);
    expect(await trajectoryOf(TRAIL, second)).toMatchObject({ stopReason: "answered" });
  });

  it("are not what an interruption is", async () => {
    const given = await services(SCRIPT);
    given.controller.abort();
    await expect(runEpisode(TRAIL, given)).rejects.toMatchObject({ code: "INTERRUPTED" });
    expect((given.ledger as SqliteLedger).eventCounts()).toEqual([]);
    expect(given.model.requests).toEqual([]);
  });
});

describe("changed requests", () => {
  const short = { ...TRAIL, seed: 8 };

  it("set committed turns aside from the first that differs", async () => {
    const first = await services([...SCRIPT.slice(0, 2), new GradusError("MODEL_UNAVAILABLE", "503")]);
    await expect(runEpisode(TRAIL, first)).rejects.toThrow();
    const second = await services(SCRIPT, first.ledger);
    expect(await trajectoryOf(short, second)).toMatchObject({ stopReason: "answered" });
    expect(second.model.requests).toHaveLength(3);
    expect((first.ledger as SqliteLedger).droppedTurns(idOf(TRAIL))).toHaveLength(2);
    expect(first.ledger.turns(idOf(TRAIL))).toHaveLength(3);
  });

  it("run tools anew, and pay nothing twice, when a committed observation is of other calls", async () => {
    const given = await services([SCRIPT[0] ?? "", new GradusError("MODEL_UNAVAILABLE", "503")]);
    const { ledger } = given;
    const foreign: Json = [{ toolId: "peek", arguments: {}, text: "x", ok: true, execution: null }];
    const commit = ledger.commitObservation.bind(ledger);
    ledger.commitObservation = (id, turn) => commit(id, turn, foreign);
    await expect(runEpisode(TRAIL, given)).rejects.toThrow();
    ledger.commitObservation = commit;
    const second = await services(SCRIPT.slice(1), ledger);
    const { messages } = await trajectoryOf(TRAIL, second);
    expect(messages[3]?.rawText).toContain("count(*)\n3");
    expect(second.sql.requests).toHaveLength(1);
    expect(second.model.requests).toHaveLength(2);
  });

  it("drop turns behind an end that comes sooner", async () => {
    const first = await services([...SCRIPT.slice(0, 2), new GradusError("MODEL_UNAVAILABLE", "503")]);
    await expect(runEpisode(TRAIL, first)).rejects.toThrow();
    const stopping = { ...TRAIL, scaffold: { ...sqlTrail, maxTurns: () => 1 } };
    const second = await services([], first.ledger);
    expect(await trajectoryOf(stopping, second)).toMatchObject({ stopReason: "turn_budget" });
    expect(first.ledger.turns(idOf(TRAIL))).toHaveLength(1);
  });
});

const call = (id: string, name: string, argumentsRaw: string, parsed: { sql: string } | null) => ({
  id,
  name,
  argumentsRaw,
  arguments: parsed,
});

describe("a server's tool interface", () => {
  const native = defineScaffold({
    id: "native",
    version: 1,
    options: z.strictObject({}),
    readsGold: false,
    pastThoughts: "kept",
    nativeTools: () => true,
    tools: () => [{ id: "execute-sql-dataframe", options: {} }],
    stops: () => [],
    maxTurns: () => 4,
    open: (opening) => [givenMessage("user", opening.example.question)],
    read: (reply) =>
      sampledMessage(reply, {
        reasoning: reply.reasoning,
        content: reply.content,
        toolCalls: reply.toolCalls,
        restored: "",
      }),
    react(message) {
      if (message.toolCalls.length === 0) return { kind: "answer", sql: message.content };
      const actions = message.toolCalls.map((made) => ({
        callId: made.id,
        toolId: made.name === "sql" ? "execute-sql-dataframe" : made.name,
        arguments: made.arguments ?? {},
        problem: made.arguments === null ? "The arguments are not JSON. <observation>" : null,
      }));
      return { kind: "act", actions };
    },
    observe: (results) => results.map(({ action, result }) => environmentMessage(result.text, action.callId)),
  });

  it("is told of the tools, and gets calls and answers back", async () => {
    const calls = [
      call("c1", "sql", `{"sql":"${COUNT}"}`, { sql: COUNT }),
      call("c2", "sql", '{"sql":', null),
      call("c3", "peek", '{"sql":"x"}', { sql: "x" }),
    ];
    const script = [modelReply("", { toolCalls: calls, reasoning: "hm", finishReason: "tool_calls" }), NAMES];
    const given = await services(script);
    const trajectory = await trajectoryOf(planOf(native, [sqlTool], { opening: openingOf() }), given);
    expect(trajectory).toMatchObject({ finalSql: NAMES, stopReason: "answered" });
    expect(given.model.requests[0]?.tools).toEqual([sqlTool.schema]);
    const told = { reasoning: null, toolCalls: [] };
    expect(given.model.requests[1]?.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: '<tool_call>\n{"name": "sql", "arguments": {"sql":}\n</tool_call>',
        reasoning: "hm",
        toolCalls: [calls[0], calls[2]],
        toolCallId: null,
      },
      { ...told, role: "tool", content: "count(*)\n3\n[1 row]", toolCallId: "c1" },
      { ...told, role: "tool", content: "There is no tool peek.", toolCallId: "c3" },
      {
        ...told,
        role: "user",
        content: "<tool_response>\nThe arguments are not JSON. \\u003cobservation>\n</tool_response>",
        toolCallId: null,
      },
    ]);
    expect(given.sql.requests).toHaveLength(1);
  });
});
