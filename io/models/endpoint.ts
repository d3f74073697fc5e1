import type { EndpointAccount } from "../../core/model.ts";
import { elapsedMs } from "../clock.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import { Circuit } from "./circuit.ts";
import { addressesOf, type ClientOptions } from "./client-options.ts";
import { ConcurrencyGate } from "./concurrency-gate.ts";
import { Pause } from "./pause.ts";
import type { Secret } from "./secret.ts";

/** A server with its address. */
export interface AddressedServer extends ServerIdentity {
  readonly address: string;
}

/** The servers of a client, in the order of its options. `otherwise`: the address of one that needs none. */
export function serversOf(
  options: ClientOptions,
  secret: Secret,
  otherwise: string | null = null,
): readonly AddressedServer[] {
  return addressesOf(options, otherwise).map((address) => ({
    address,
    label: `the server at ${address}`,
    secret,
  }));
}

/** One server of a model: how much it takes at once, whether it works, and what it was asked. */
export class Endpoint {
  readonly server: AddressedServer;
  readonly gate: ConcurrencyGate;
  readonly circuit: Circuit;
  readonly pause: Pause;
  #requests = 0;

  /** `isAlone`: no other server can take its work. */
  constructor(
    server: AddressedServer,
    options: Pick<ClientOptions, "concurrency" | "circuit">,
    parts: { readonly isAlone: boolean; readonly clock?: () => number },
  ) {
    const { isAlone, clock = elapsedMs } = parts;
    this.server = server;
    this.gate = new ConcurrencyGate(options.concurrency);
    this.circuit = new Circuit(options.circuit, { label: server.label, busyOpens: !isAlone }, clock);
    this.pause = new Pause(clock);
  }

  /** Requests that are open or wait for a place here. */
  get load(): number {
    return this.gate.load;
  }

  /** Requests that may be open here. */
  get limit(): number {
    return this.gate.limit;
  }

  /** Whether a request may be sent here now: all, or one that probes. */
  get isReady(): boolean {
    return this.circuit.msUntilAdmission() <= 0;
  }

  /** Counts an attempt. */
  countRequest(): void {
    this.#requests += 1;
  }

  account(): EndpointAccount {
    return {
      name: shortAddress(this.server.address),
      requests: this.#requests,
      open: this.gate.open,
      isUp: this.circuit.isClosed,
    };
  }
}

/** An address without its protocol and version. */
function shortAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/(v\d+\/?)?$/, "")}`;
}
