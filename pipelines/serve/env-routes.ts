import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import type { ModelReply } from "../../core/model.ts";
import { RewardRow, RewardTerm } from "../../core/reward.ts";
import { toolCall } from "../../io/models/reply-reading.ts";
import { EnvEpisode, type EnvState } from "./env-episode.ts";
import { type EnvEpisodes, type KeptEpisode } from "./env-episodes.ts";
import { type EnvRollouts, historyOf, RolloutChoice } from "./env-rollouts.ts";
import { EXAMPLE_NAME, namesExample, NO_EXAMPLE } from "./example-name.ts";
import type { ServedRun } from "./served-run.ts";
import { type ServiceRoute, serviceRoute } from "./service-server.ts";
import { WireMessage, wireMessage, wireTool } from "./wire-message.ts";

const StartBody = RolloutChoice.extend({
  ...EXAMPLE_NAME,
  /** Decides the seed of each request and the sample's identity. */
  sample_index: z.int().nonnegative().default(0),
  /** Where the scaffold shows predicted history: what was answered to each earlier turn. */
  previous_answers: z.array(z.string().nullable()).optional(),
  /** Whether the last step gives the trajectories whole. */
  record: z.boolean().default(false),
}).refine(namesExample, NO_EXAMPLE);

const StepBody = z.strictObject({
  episode: z.string(),
  /** The reply as it was sampled. */
  text: z.string(),
  /** The step's number, so that a step that is sent twice is taken once: 0 for the first reply. */
  turn: z.int().nonnegative().optional(),
  /** A thought that the server parsed out. */
  reasoning: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
    )
    .nullish(),
  finish_reason: z.enum(["stop", "length", "tool_calls", "content_filter"]).default("stop"),
  /** Whether gradus' own simulated model made it; the record says so. */
  simulated: z.boolean().default(false),
  usage: z
    .looseObject({
      prompt_tokens: z.int().nonnegative().nullish(),
      completion_tokens: z.int().nonnegative().nullish(),
    })
    .nullish(),
});

/** How the model should be asked: a client may do otherwise, but for the stop strings. */
const Ask = z.strictObject({
  temperature: z.number(),
  top_p: z.number(),
  top_k: z.int(),
  max_tokens: z.int(),
  stop: z.array(z.string()),
  seed: z.int().nullable(),
  extra: z.record(z.string(), z.unknown()),
  tools: z.array(z.unknown()),
});

const Part = z.strictObject({
  scaffold: z.string(),
  /** 1 for every message to be trained on, in the order of the conversation. */
  mask: z.array(z.int()),
  /** The mask of the replies alone. */
  reply_mask: z.array(z.int()),
  reason: z.string(),
  detail: z.string().nullable(),
  answer: z.string().nullable(),
  reward: z.number().nullable(),
  terms: z.record(z.string(), RewardTerm),
  rewards: z.array(RewardRow),
});

const StepReply = z.strictObject({
  episode: z.string(),
  example_id: z.string(),
  turn: z.int(),
  done: z.boolean(),
  part: z.int(),
  /** The whole prompt of a conversation that begins here; `null` where the last one goes on. */
  messages: z.array(WireMessage).nullable(),
  /** The reply as it is shown again; `null` at the start. */
  reply: WireMessage.nullable(),
  observations: z.array(WireMessage),
  /** Of the conversation so far: 1 for every message to be trained on. */
  mask: z.array(z.int()),
  /** The mask of the replies alone. */
  reply_mask: z.array(z.int()),
  ask: Ask.nullable(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  answer: z.string().nullable(),
  reward: z.number().nullable(),
  terms: z.record(z.string(), RewardTerm),
  parts: z.array(Part).nullable(),
  trajectories: z.array(z.unknown()).nullable(),
});
export type StepReply = z.infer<typeof StepReply>;

/** What the routes of episodes work with. */
export interface EnvService {
  readonly run: ServedRun;
  readonly rollouts: EnvRollouts;
  readonly episodes: EnvEpisodes;
}

/** `POST /start`, `POST /step` and `POST /end`: whole episodes of any scaffold, whose replies the client gives. */
export function envRoutes(service: EnvService): ServiceRoute[] {
  return [
    serviceRoute({
      method: "POST",
      path: "/start",
      summary: "Open an episode of an example: its prompt, and how the model should be asked.",
      body: StartBody,
      response: StepReply,
      isWork: true,
      handle: ({ body }) => start(service, body),
    }),
    serviceRoute({
      method: "POST",
      path: "/step",
      summary: "Give the model's reply: what the environment says to it, or the end with its reward.",
      body: StepBody,
      response: StepReply,
      isWork: true,
      handle: ({ body }) => take(service, body),
    }),
    serviceRoute({
      method: "POST",
      path: "/end",
      summary: "Give an episode up before its end.",
      body: z.strictObject({ episode: z.string() }),
      response: z.strictObject({}),
      isWork: false,
      handle: ({ body }) => {
        service.episodes.end(body.episode);
        return {};
      },
    }),
  ];
}

async function start(
  { run, rollouts, episodes }: EnvService,
  body: z.infer<typeof StartBody>,
): Promise<StepReply> {
  const { sample_index: sampleIndex, previous_answers: answers, record, scaffold, options, mode } = body;
  const example = await run.examples.find(body);
  const rollout = await rollouts.take({
    ...(scaffold === undefined ? {} : { scaffold }),
    ...(options === undefined ? {} : { options }),
    ...(mode === undefined ? {} : { mode }),
  });
  const history = historyOf(example, rollout, answers);
  let opened: EnvState | undefined;
  const kept = await episodes.add(async () => {
    const { episode, state } = await EnvEpisode.start({ run, example, rollout, history, sampleIndex });
    opened = state;
    return episode;
  }, record);
  return told(kept, opened as EnvState, example.id);
}

async function take({ episodes }: EnvService, body: z.infer<typeof StepBody>): Promise<StepReply> {
  const kept = episodes.get(body.episode);
  const { turn } = body;
  const last = kept.answer as StepReply;
  if (turn !== undefined && turn === kept.turn - 1) return last;
  if (turn !== undefined && turn !== kept.turn) throw wrongTurn(turn, kept.turn);
  const state = await kept.episode.step(replyOf(body));
  return told(kept, state, last.example_id);
}

function replyOf(body: z.infer<typeof StepBody>): ModelReply {
  const { text, reasoning, tool_calls: calls, finish_reason: finishReason, usage } = body;
  return {
    content: text,
    reasoning: reasoning ?? null,
    toolCalls: (calls ?? []).map((call, place) =>
      toolCall(call.id, call.function.name, call.function.arguments, place),
    ),
    finishReason,
    usage: {
      promptTokens: usage?.prompt_tokens ?? null,
      completionTokens: usage?.completion_tokens ?? null,
      costMicroUsd: null,
    },
    rawExact: false,
    tokenIds: null,
    servedModel: "client",
    ...(body.simulated ? { simulated: true } : {}),
  };
}

/** What a client is told of an episode; it is kept for one that asks again. */
function told(kept: KeptEpisode, state: EnvState, exampleId: string): StepReply {
  const { turn, part, seen, messages, request, shown, ended } = state;
  const isNew = seen === 0 && ended === null;
  const replied = shown[seen];
  const parts = ended?.map(partOf) ?? null;
  const last = parts?.at(-1);
  const answer: StepReply = {
    episode: kept.id,
    example_id: exampleId,
    turn,
    done: ended !== null,
    part,
    messages: isNew ? shown.map(wireMessage) : null,
    reply: isNew || replied === undefined ? null : wireMessage(replied),
    observations: isNew ? [] : shown.slice(seen + 1).map(wireMessage),
    mask: maskOf(messages),
    reply_mask: maskOf(messages.filter(({ origin }) => origin === "sampled")),
    ask: request === null ? null : askOf(request),
    reason: last?.reason ?? null,
    detail: last?.detail ?? null,
    answer: last?.answer ?? null,
    reward: last?.reward ?? null,
    terms: last?.terms ?? {},
    parts,
    trajectories: kept.isRecorded ? (ended?.map(({ trajectory }) => trajectory) ?? null) : null,
  };
  kept.turn = turn;
  kept.answer = answer;
  return answer;
}

function partOf({ trajectory, rewards }: NonNullable<EnvState["ended"]>[number]): z.infer<typeof Part> {
  const [first] = rewards;
  return {
    scaffold: trajectory.scaffold.id,
    mask: maskOf(trajectory.messages),
    reply_mask: maskOf(trajectory.messages.filter(({ origin }) => origin === "sampled")),
    reason: trajectory.stopReason,
    detail: trajectory.stopDetail ?? null,
    answer: trajectory.finalSql,
    reward: first?.total ?? null,
    terms: first?.terms ?? {},
    rewards: [...rewards],
  };
}

function maskOf(messages: EnvState["messages"]): number[] {
  return messages.map(({ train }) => (train ? 1 : 0));
}

function askOf({ sampling, seed, tools }: NonNullable<EnvState["request"]>): z.infer<typeof Ask> {
  const { temperature, topP, topK, maxTokens, stop, extra } = sampling;
  return {
    temperature,
    top_p: topP,
    top_k: topK,
    max_tokens: maxTokens,
    stop,
    seed,
    extra,
    tools: tools.map(wireTool),
  };
}

function wrongTurn(got: number, expected: number): GradusError {
  return new GradusError(
    "EPISODE_TURN_WRONG",
    `got the reply of turn ${got}, expected that of turn ${expected}`,
    {
      hint: "send the steps of an episode in order, each once",
    },
  );
}
