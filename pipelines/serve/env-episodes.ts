import { GradusError } from "../../core/errors.ts";
import { elapsedMs } from "../../io/clock.ts";
import type { EnvEpisode } from "./env-episode.ts";

/** An episode that clients can go on with, and the last thing they were told of it. */
export interface KeptEpisode {
  readonly id: string;
  readonly episode: EnvEpisode;
  readonly isRecorded: boolean;
  /** Counts the replies that were taken. */
  turn: number;
  answer: unknown;
}

interface Entry extends KeptEpisode {
  touchedMs: number;
}

/** Bounds of the episodes that a service keeps. */
export interface EpisodeLimits {
  /** An episode that nobody goes on with for so long is given up. */
  readonly idleMs: number;
  readonly maxEpisodes: number;
}

const LONGEST_SWEEP_MS = 5_000;

/** The episodes of a service. One that nobody goes on with expires; one that has ended is kept as long, for clients that ask again. */
export class EnvEpisodes {
  readonly #limits: EpisodeLimits;
  /** The one that was touched longest ago first. */
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;
  #expired = 0;
  #starting = 0;

  constructor(limits: EpisodeLimits) {
    this.#limits = limits;
    this.#timer = setInterval(
      () => this.sweep(),
      Math.min(LONGEST_SWEEP_MS, Math.max(10, limits.idleMs / 2)),
    );
    this.#timer.unref();
  }

  /** Episodes that are not at their end. */
  get open(): number {
    let open = 0;
    for (const { episode } of this.#entries.values()) if (!episode.hasEnded) open += 1;
    return open;
  }

  /** How many were given up so far. */
  get expired(): number {
    return this.#expired;
  }

  /** Keeps a new episode once `start` has made it. @throws SERVICE_FULL while as many as may be are open. */
  async add(start: () => Promise<EnvEpisode>, isRecorded: boolean): Promise<KeptEpisode> {
    this.#makeRoom();
    this.#starting += 1;
    try {
      const episode = await start();
      const id = globalThis.crypto.randomUUID();
      const entry: Entry = { id, episode, isRecorded, turn: 0, answer: null, touchedMs: elapsedMs() };
      this.#entries.set(id, entry);
      return entry;
    } finally {
      this.#starting -= 1;
    }
  }

  /** @throws EPISODE_UNKNOWN for one that never was, or has expired. */
  get(id: string): KeptEpisode {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw unknown(id);
    entry.touchedMs = elapsedMs();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  /** Gives one episode up. */
  end(id: string): void {
    this.#entries.get(id)?.episode.abandon();
    this.#entries.delete(id);
  }

  /** Gives up what nobody has touched for too long. */
  sweep(): void {
    const oldest = elapsedMs() - this.#limits.idleMs;
    for (const entry of this.#entries.values()) {
      if (entry.touchedMs > oldest) return;
      if (!entry.episode.hasEnded) this.#expired += 1;
      this.end(entry.id);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const id of this.#entries.keys()) this.end(id);
  }

  /** Forgets one that has ended where there is no room left. */
  #makeRoom(): void {
    if (this.#entries.size + this.#starting < this.#limits.maxEpisodes) return;
    for (const [id, { episode }] of this.#entries) {
      if (!episode.hasEnded) continue;
      this.end(id);
      return;
    }
    throw new GradusError(
      "SERVICE_FULL",
      `${this.#limits.maxEpisodes} episodes are open, as many as may be`,
      {
        hint: "end episodes, wait until idle ones expire, or raise --max-episodes",
      },
    );
  }
}

function unknown(id: string): GradusError {
  return new GradusError("EPISODE_UNKNOWN", `there is no episode ${JSON.stringify(id.slice(0, 64))}`, {
    hint: "it has ended, or nobody went on with it in time: start another one",
  });
}
