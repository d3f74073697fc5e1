import type { Example } from "../../core/example.ts";
import type { ModelReply } from "../../core/model.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { playSample } from "../../synth/play-sample.ts";
import { type EnvRollouts, historyOf, type RolloutChoice } from "./env-rollouts.ts";
import type { ServedRun } from "./served-run.ts";
import { VOLATILE_LEDGER } from "./volatile-ledger.ts";

/**
 * A trajectory of an answer alone: one reply, of which nothing but the query is known. It has the id of its example,
 * since nothing else tells answers apart.
 */
export function answeredTrajectory(example: Example, text: string, sql: string | null): Trajectory {
  return {
    id: example.id,
    exampleId: example.id,
    sampleIndex: 0,
    round: 0,
    model: { name: "client", revision: "" },
    scaffold: { id: "given", version: 1, options: {} },
    source: "imported",
    pastThoughts: "none",
    messages: [
      {
        role: "assistant",
        origin: "sampled",
        rawText: text,
        rawExact: false,
        reasoning: null,
        content: text,
        toolCalls: [],
        toolCallId: null,
        train: true,
        weight: 1,
        trainReason: "sampled",
      },
    ],
    finalSql: sql,
    stopReason: sql === null ? "no_answer" : "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed: null,
  };
}

/** What was replied in an episode, and under which protocol. */
export interface GivenReplies {
  readonly replies: readonly string[];
  readonly choice: RolloutChoice;
  readonly previousAnswers: readonly (string | null)[] | undefined;
}

/**
 * Plays an episode again from its replies, tools included, as the sampler does. Where there are fewer replies than the
 * episode takes it ends with a cut one; further ones are left alone.
 * @throws EPISODE_OPTIONS_INVALID, EPISODE_HISTORY_MISSING, and what tools' machinery throws.
 */
export async function replayedTrajectory(
  run: ServedRun,
  rollouts: EnvRollouts,
  example: Example,
  { replies, choice, previousAnswers }: GivenReplies,
): Promise<Trajectory> {
  const rollout = await rollouts.take(choice);
  const { config, services, openings } = run;
  let next = 0;
  const model = {
    ...rollout.model,
    complete: (): Promise<ModelReply> => {
      const reply = replies[next] ?? null;
      next += 1;
      return Promise.resolve(reply === null ? CUT : { ...CUT, content: reply, finishReason: "stop" });
    },
  };
  const played = await playSample(
    example,
    { ...rollout, model },
    { sampleIndex: 0, history: historyOf(example, rollout, previousAnswers) },
    {
      openings,
      dialect: await services.plugs.find("schema-dialect", config.prompt.dialect),
      profileOptions: config.profile,
      profiler: services.profiler,
      ledger: VOLATILE_LEDGER,
      sql: services.sql,
      signal: run.signal,
      round: config.answers.round,
      seed: config.seed,
    },
  );
  return played?.trajectory ?? answeredTrajectory(example, replies.at(-1) ?? "", null);
}

const CUT: ModelReply = {
  content: "",
  reasoning: null,
  toolCalls: [],
  finishReason: "length",
  usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
  rawExact: false,
  tokenIds: null,
  servedModel: "client",
};
