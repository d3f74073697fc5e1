import { GradusError } from "../../core/errors.ts";
import type { EndpointAccount } from "../../core/model.ts";
import { elapsedMs } from "../clock.ts";
import type { CircuitReport } from "./circuit.ts";
import type { ClientOptions } from "./client-options.ts";
import type { SlotOutcome } from "./concurrency-gate.ts";
import { type AddressedServer, Endpoint } from "./endpoint.ts";
import { WaitQueue } from "./interruption.ts";
import { boundedChoice, rendezvousOrder } from "./rendezvous.ts";

/** What a request says of where it wants to go. */
export interface Destination {
  /** Requests of one key go to one server as long as it works: see {@link EndpointPool}. */
  readonly key: string | null;
  /** How often this request has failed at each server. */
  readonly failures: ReadonlyMap<Endpoint, number>;
}

/** A place at a server, from before a request is sent until its reply. */
export interface HeldPlace {
  readonly endpoint: Endpoint;
  /** Gives the place back with how it went; call it once. */
  release(report: CircuitReport, outcome: SlotOutcome): void;
}

/**
 * The servers of one model. A request goes to the first server that works in the order that its key prefers
 * (rendezvous hashing), unless that one is overloaded: {@link boundedChoice}. A retry goes where this request has failed least. A server whose circuit is open takes only the request
 * that probes it; while all are open, callers wait, and give up once every server has failed for too long.
 */
export class EndpointPool {
  readonly endpoints: readonly Endpoint[];
  readonly #addresses: readonly string[];
  /** Those for whom no server is ready. */
  readonly #queue = new WaitQueue();

  constructor(
    servers: readonly AddressedServer[],
    options: Pick<ClientOptions, "concurrency" | "circuit">,
    clock: () => number = elapsedMs,
  ) {
    const isAlone = servers.length === 1;
    this.endpoints = servers.map((server) => new Endpoint(server, options, { isAlone, clock }));
    this.#addresses = servers.map(({ address }) => address);
  }

  /** Waits for the right to send a request. Throws MODEL_CIRCUIT_OPEN, INTERRUPTED. */
  async hold(destination: Destination, signal: AbortSignal): Promise<HeldPlace> {
    for (;;) {
      const endpoint = this.#choose(destination);
      if (endpoint === undefined) await this.#waitForOne(signal);
      else {
        const held = await this.#enter(endpoint, signal);
        if (held !== null) return held;
      }
    }
  }

  /** Whether a server is ready at which a request has not failed yet. */
  hasFresh(failures: Destination["failures"]): boolean {
    return this.endpoints.some((endpoint) => !failures.has(endpoint) && isFree(endpoint));
  }

  /** Whether there are several servers, and one is ready that has not asked to be left alone. */
  hasRested(): boolean {
    return this.endpoints.length > 1 && this.endpoints.some(isFree);
  }

  /** How long the servers may go on failing before callers give up; infinite while one works. */
  msUntilGivingUp(): number {
    return Math.max(...this.endpoints.map(({ circuit }) => circuit.msUntilGivingUp()));
  }

  /** The error of callers that give up. */
  failure(cause?: Error): GradusError {
    const failures = this.endpoints.map(({ circuit }) => circuit.failure(cause));
    const [first] = failures;
    if (first !== undefined && failures.length === 1) return first;
    return new GradusError(
      "MODEL_CIRCUIT_OPEN",
      `none of ${failures.length} servers works: ${failures.map(({ message }) => message).join("; ")}`,
      {
        hint: "check that the servers run and take this load, then run the same command again: what was finished is kept",
        ...(cause === undefined ? {} : { cause }),
      },
    );
  }

  account(): readonly EndpointAccount[] {
    return this.endpoints.map((endpoint) => endpoint.account());
  }

  #choose({ key, failures }: Destination): Endpoint | undefined {
    const ready = this.endpoints.filter(({ isReady }) => isReady);
    if (ready.length < 2) return ready[0];
    const rested = ready.filter(isFree);
    const able = new Set(rested.length === 0 ? ready : rested);
    const fewest = Math.min(...[...able].map((endpoint) => failures.get(endpoint) ?? 0));
    const preferred = this.#preferred(key).filter(
      (endpoint) => able.has(endpoint) && (failures.get(endpoint) ?? 0) === fewest,
    );
    return boundedChoice(preferred);
  }

  #preferred(key: string | null): readonly Endpoint[] {
    if (key === null) return this.endpoints;
    return rendezvousOrder(key, this.#addresses).flatMap((place) => this.endpoints[place] ?? []);
  }

  async #waitForOne(signal: AbortSignal): Promise<void> {
    const leftMs = this.msUntilGivingUp();
    if (leftMs <= 0) throw this.failure();
    const readyMs = Math.min(...this.endpoints.map(({ circuit }) => circuit.msUntilAdmission()));
    await this.#queue.wait(signal, Math.min(readyMs, leftMs));
  }

  /** A place at a server; `null` when it stopped working while this request waited there. */
  async #enter(endpoint: Endpoint, signal: AbortSignal): Promise<HeldPlace | null> {
    const slot = await endpoint.gate.acquire(signal);
    const admission = endpoint.circuit.tryAdmit();
    if (admission === null) {
      slot.release("other");
      return null;
    }
    return {
      endpoint,
      release: (report, outcome) => {
        admission.report(report);
        slot.release(outcome);
        if (!endpoint.circuit.isClosed) endpoint.gate.dismiss();
        this.#queue.wakeAll();
      },
    };
  }
}

function isFree({ isReady, pause }: Endpoint): boolean {
  return isReady && pause.leftMs === 0;
}
