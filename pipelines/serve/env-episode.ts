import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import type { ChatMessage, ModelReply, ModelRequest } from "../../core/model.ts";
import type { RewardRow } from "../../core/reward.ts";
import type { ShownTurn } from "../../core/tool.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";
import { scoreReward } from "../../curation/score-reward.ts";
import { chatMessages } from "../../synth/chat-messages.ts";
import { type OpenRollout, type PlayedSample, playSample } from "../../synth/play-sample.ts";
import { HeldModel } from "./held-model.ts";
import type { ServedRun } from "./served-run.ts";
import { VOLATILE_LEDGER } from "./volatile-ledger.ts";

/** What an episode is played with. */
export interface EnvEpisodeRequest {
  readonly run: ServedRun;
  readonly example: Example;
  readonly rollout: OpenRollout;
  readonly history: readonly ShownTurn[];
  readonly sampleIndex: number;
}

/** A conversation of an episode that has ended: a linker's has one of its own before the answer's. */
export interface EndedPart {
  readonly trajectory: Trajectory;
  /** By the service's rewards, in their order. */
  readonly rewards: readonly RewardRow[];
}

/** Where an episode stands after a step. */
export interface EnvState {
  /** Counts the replies that were taken. */
  readonly turn: number;
  /** Counts conversations from 0. */
  readonly part: number;
  /** How many of `shown` were there before this step; 0 where a conversation begins. */
  readonly seen: number;
  /** Of the conversation, with their masks. */
  readonly messages: readonly Message[];
  /** What the model is asked now; `null` once the episode has ended. */
  readonly request: ModelRequest | null;
  /** The conversation as it is shown to the model, the last reply and what follows it included. */
  readonly shown: readonly ChatMessage[];
  /** Once it has ended. */
  readonly ended: readonly EndedPart[] | null;
}

/**
 * An episode whose replies a client gives: the sampler's own driver plays it, held between replies by a
 * {@link HeldModel}. Nothing of it is in the ledger.
 */
export class EnvEpisode {
  readonly #request: EnvEpisodeRequest;
  readonly #model: HeldModel;
  readonly #stop = new AbortController();
  #wake: () => void = () => undefined;
  #part = -1;
  #turn = 0;
  #messages: readonly Message[] = [];
  #played: PlayedSample | undefined;
  #failure: unknown;
  #hasEnded = false;
  #ended: Promise<EndedPart[]> | null = null;
  #isBusy = false;

  private constructor(request: EnvEpisodeRequest) {
    this.#request = request;
    this.#model = new HeldModel(() => this.#wake());
  }

  /** Opens an episode. @throws what its preparation throws. */
  static async start(request: EnvEpisodeRequest): Promise<{ episode: EnvEpisode; state: EnvState }> {
    const episode = new EnvEpisode(request);
    const awaited = episode.#next();
    void episode.#play();
    await awaited;
    return { episode, state: await episode.#state(0) };
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Takes a reply. @throws EPISODE_BUSY while another is being taken, EPISODE_ENDED, and what tools' machinery throws. */
  async step(reply: ModelReply): Promise<EnvState> {
    if (this.#hasEnded) throw ended();
    if (this.#isBusy || this.#model.request === null) throw busy();
    this.#isBusy = true;
    try {
      const [part, seen] = [this.#part, this.#model.request.messages.length];
      const awaited = this.#next();
      this.#turn += 1;
      this.#model.answer(reply);
      await awaited;
      return await this.#state(this.#part === part ? seen : 0);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends an episode that nobody goes on with. */
  abandon(): void {
    if (this.#hasEnded) return;
    this.#stop.abort();
    this.#model.end(new GradusError("EPISODE_ABANDONED", "the episode was given up"));
  }

  /** Resolves when the episode asks for a reply, or has ended. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #play(): Promise<void> {
    const { run, example, rollout, history, sampleIndex } = this.#request;
    const { config, services, openings } = run;
    try {
      this.#played = await playSample(
        example,
        { ...rollout, model: this.#model },
        { sampleIndex, history },
        {
          openings,
          dialect: await services.plugs.find("schema-dialect", config.prompt.dialect),
          profileOptions: config.profile,
          profiler: services.profiler,
          ledger: VOLATILE_LEDGER,
          sql: services.sql,
          signal: this.#stop.signal,
          round: config.answers.round,
          seed: config.seed,
          watch: (messages) => this.#watched(messages),
        },
      );
    } catch (thrown) {
      this.#failure = thrown;
    }
    this.#hasEnded = true;
    this.#wake();
  }

  /** A conversation without a reply is a new one. */
  #watched(messages: readonly Message[]): void {
    if (messages.every(({ origin }) => origin !== "sampled")) this.#part += 1;
    this.#messages = messages;
  }

  async #state(seen: number): Promise<EnvState> {
    if (this.#failure !== undefined) throw this.#failure;
    const { rollout } = this.#request;
    if (!this.#hasEnded) {
      const request = this.#model.request;
      const messages = [...this.#messages];
      const shown = request?.messages ?? [];
      return { turn: this.#turn, part: this.#part, seen, messages, request, shown, ended: null };
    }
    const played = this.#played as PlayedSample;
    this.#ended ??= this.#score(played);
    const { messages } = played.trajectory;
    const nativeTools = rollout.scaffold.nativeTools(rollout.scaffold.options.parse(rollout.options));
    // The last reply is shown to nobody any more: it is given whole.
    const shown = chatMessages(messages, { pastThoughts: "kept", nativeTools });
    return {
      turn: this.#turn,
      part: this.#part,
      seen,
      messages,
      request: null,
      shown,
      ended: await this.#ended,
    };
  }

  async #score({ linking, trajectory }: PlayedSample): Promise<EndedPart[]> {
    const { run, example } = this.#request;
    const parts: EndedPart[] = [];
    for (const played of linking === null ? [trajectory] : [linking, trajectory]) {
      parts.push({ trajectory: played, rewards: await rewardsOf(run, example, played) });
    }
    return parts;
  }
}

/** The rewards of a trajectory, by those of the service in their order. */
export async function rewardsOf(
  { rewards, databases, judging }: ServedRun,
  example: Example,
  trajectory: Trajectory,
  tokens?: number,
): Promise<RewardRow[]> {
  const database = databases.get(example.databaseId);
  const trajectories = [{ trajectory, ...(tokens === undefined ? {} : { tokens }) }];
  const rows: RewardRow[] = [];
  for (const reward of rewards) {
    rows.push(...(await scoreReward({ example, database, trajectories }, reward, judging)));
  }
  return rows;
}

function busy(): GradusError {
  return new GradusError("EPISODE_BUSY", "the episode is taking another reply", {
    hint: "send one step of an episode at a time",
  });
}

function ended(): GradusError {
  return new GradusError("EPISODE_ENDED", "the episode has ended", { hint: "start another one" });
}
