import { afterAll, describe, expect, it } from "vitest";
import type { ModelReply } from "../../core/model.ts";
import type { EpisodeState, Reaction, Scaffold } from "../../core/scaffold.ts";
import type { Message } from "../../core/trajectory.ts";
import { runEpisode } from "../../synth/run-episode.ts";
import { chatMessages } from "../../synth/chat-messages.ts";
import { modelReply, ScriptedModel } from "../fakes/model.ts";
import { openingOf, planOf } from "./episode-rows.ts";
import { newLedger, services } from "./episode-services.ts";
import {
  MALFORMED_REPLIES,
  type GivenReply,
  type MalformedReplies,
  type Outcome,
} from "./malformed-replies.ts";
import { plugs } from "./synth-rows.ts";

type Mode = "training" | "test";

function replyOf(given: GivenReply): ModelReply {
  return typeof given === "string" ? modelReply(given) : modelReply(given.content ?? "", given);
}

function optionsOf(scaffold: Scaffold, { options }: MalformedReplies, mode: Mode): Record<string, never> {
  const bare = { ...options, guardrails: { mode } };
  const parsed = scaffold.options.safeParse(bare);
  return (parsed.success ? parsed.data : scaffold.options.parse(options)) as Record<string, never>;
}

function stateOf(scaffold: Scaffold, { earlier }: MalformedReplies, options: unknown): EpisodeState {
  const opening = openingOf();
  const messages: Message[] = [...scaffold.open(opening, options)];
  for (const [turn, text] of earlier.entries()) {
    const message = scaffold.read(modelReply(text), options);
    const state = { turn, turnsLeft: 6, opening, messages: [...messages] };
    const reaction = scaffold.react(message, state, options);
    if (reaction.kind !== "act") throw new Error(`expected a call, got ${reaction.kind}`);
    const results = reaction.actions.map((action) => ({
      action,
      result: { text: "1", ok: true, execution: null },
    }));
    messages.push(message, ...scaffold.observe(results, state, options));
  }
  return { turn: earlier.length, turnsLeft: 5, opening, messages };
}

/** Which violation a problem of a call tells of. */
function violationOf(problem: string): string {
  if (problem.startsWith("There is no tool")) return "unknown_tool";
  return problem.startsWith("Wrong call of") ? "wrong_arguments" : "malformed_call";
}

function outcomeOf(reaction: Reaction): Outcome {
  if (reaction.kind === "answer") return `answer ${reaction.sql}`;
  if (reaction.kind === "links") return `links ${JSON.stringify(reaction.links)}`;
  if (reaction.kind === "stop") return `stop ${reaction.detail ?? reaction.reason}`;
  if (reaction.kind === "remind") {
    return `told ${[...new Set(reaction.messages.map(({ trainReason }) => trainReason))].join(" + ")}`;
  }
  return reaction.actions
    .map(({ toolId, arguments: given, problem }) =>
      problem === null ? `act ${toolId} ${JSON.stringify(given)}` : `error ${violationOf(problem)}`,
    )
    .join(" + ");
}

it("is a corpus of at least 100 malformed replies, each with a name of its own", () => {
  const replies = MALFORMED_REPLIES.flatMap(({ scaffold, replies: own }) =>
    own.map(([what]) => `${scaffold}: ${what}`),
  );
  expect(replies.length).toBeGreaterThanOrEqual(100);
  expect(new Set(replies).size).toBe(replies.length);
});

describe.each(MALFORMED_REPLIES)("$scaffold $options", async (set) => {
  const scaffold = await plugs.find("scaffold", set.scaffold);
  const ledger = await newLedger();
  afterAll(() => ledger.close());

  it.each(set.replies)("in training mode: %s", (_, given, training) => {
    const options = optionsOf(scaffold, set, "training");
    const message = scaffold.read(replyOf(given), options);
    expect(outcomeOf(scaffold.react(message, stateOf(scaffold, set, options), options))).toBe(training);
  });

  it.each(set.replies)("in test mode: %s", (_, given, __, test) => {
    const options = optionsOf(scaffold, set, "test");
    const message = scaffold.read(replyOf(given), options);
    expect(outcomeOf(scaffold.react(message, stateOf(scaffold, set, options), options))).toBe(test);
  });

  it.each(set.replies)("loses no trajectory in test mode: %s", async (what, given) => {
    const options = optionsOf(scaffold, set, "test");
    const tools = await Promise.all(scaffold.tools(options).map(({ id }) => plugs.find("tool", id)));
    const script = [...set.earlier, replyOf(given), set.ending].map((line) => replyOf(line));
    const finished = script.map((reply) => ({ ...reply, finishReason: "stop" as const }));
    const model = new ScriptedModel(finished);
    const sampleIndex = set.replies.findIndex(([other]) => other === what);
    const plan = planOf(scaffold, tools, { options, sampleIndex });
    const outcome = await runEpisode(plan, { ...(await services([], ledger)), model });
    if (outcome.kind !== "finished") throw new Error("expected a finished sample");
    const { trajectory } = outcome;
    expect(trajectory.stopReason).toBe("answered");
    const form = { pastThoughts: scaffold.pastThoughts, nativeTools: scaffold.nativeTools(options) };
    for (const [turn, { messages }] of model.requests.entries()) {
      const place = trajectory.messages.findIndex(
        ({ origin }, at) => origin === "sampled" && countSampled(trajectory.messages, at) === turn,
      );
      expect(messages).toEqual(chatMessages(trajectory.messages.slice(0, place), form));
    }
  });
});

function countSampled(messages: readonly Message[], before: number): number {
  return messages.slice(0, before).filter(({ origin }) => origin === "sampled").length;
}
