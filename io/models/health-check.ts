import { request } from "undici";
import { elapsedMs } from "../clock.ts";
import type { HealthCheckOptions } from "./client-options.ts";
import type { Endpoint } from "./endpoint.ts";

/** An open request, for as long as it is watched. */
export interface Watch {
  /** Fires when the server is found dead. */
  readonly signal: AbortSignal;
  /** Ends the watch; `isAlive`: whether the server sent anything. */
  end(isAlive: boolean): void;
}

interface Watched {
  readonly open: Set<AbortController>;
  aliveMs: number;
  failures: number;
  isAsking: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Asks a server for anything at all; says whether it answers in time. Any status is an answer. */
export async function answersAnything(address: string, path: string, timeoutMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { body } = await request(`${address.replace(/\/$/, "")}/${path}`, { signal });
    await body.dump({ limit: 65_536, signal });
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds among several servers those that take requests and never answer, long before these time out. While requests are open at a server
 * and it has been silent for `everyMs`, it is asked for its list of models every `everyMs`, without a key. Silent that
 * many times in a row, its circuit opens and the open requests end, so that they go elsewhere.
 */
export class HealthCheck {
  readonly #options: HealthCheckOptions;
  readonly #watched = new Map<Endpoint, Watched>();
  readonly #clock: () => number;

  constructor(options: HealthCheckOptions, clock: () => number = elapsedMs) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Watches one request at a server. */
  watch(endpoint: Endpoint): Watch {
    const watched = this.#of(endpoint);
    const controller = new AbortController();
    watched.open.add(controller);
    if (watched.timer === undefined && this.#options.path !== null) {
      watched.aliveMs = this.#clock();
      watched.timer = setInterval(() => void this.#check(endpoint, watched), this.#options.everyMs);
      watched.timer.unref();
    }
    return {
      signal: controller.signal,
      end: (isAlive) => {
        if (isAlive) this.#revive(watched);
        watched.open.delete(controller);
        if (watched.open.size === 0) stop(watched);
      },
    };
  }

  #of(endpoint: Endpoint): Watched {
    let watched = this.#watched.get(endpoint);
    if (watched === undefined) {
      watched = { open: new Set(), aliveMs: 0, failures: 0, isAsking: false, timer: undefined };
      this.#watched.set(endpoint, watched);
    }
    return watched;
  }

  #revive(watched: Watched): void {
    watched.failures = 0;
    watched.aliveMs = this.#clock();
  }

  async #check(endpoint: Endpoint, watched: Watched): Promise<void> {
    const { everyMs, timeoutMs, failures, path } = this.#options;
    if (watched.isAsking || path === null || this.#clock() - watched.aliveMs < everyMs) return;
    watched.isAsking = true;
    const isAlive = await answersAnything(endpoint.server.address, path, timeoutMs);
    watched.isAsking = false;
    if (isAlive) return this.#revive(watched);
    if (watched.open.size === 0) return;
    watched.failures += 1;
    if (watched.failures < failures) return;
    watched.failures = 0;
    endpoint.circuit.trip();
    for (const controller of watched.open) controller.abort();
  }
}

function stop(watched: Watched): void {
  clearInterval(watched.timer);
  watched.timer = undefined;
  watched.failures = 0;
}
