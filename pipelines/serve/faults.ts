import { GradusError } from "../../core/errors.ts";
import type { Json } from "../../core/key.ts";
import { SeededRandom } from "../../core/random.ts";

/**
 * Ways in which a server fails. `connection_reset`: the connection is reset before a reply; `hang`: silence,
 * then the same; `cut_body`: half of the announced reply; `error_200`: an error under status 200;
 * `empty_reply`: a completion without text; `half_json`: half a reply that claims to be whole;
 * `changed_model`: a completion of another model.
 */
export const FAULT_KINDS = [
  "connection_reset",
  "hang",
  "cut_body",
  "error_200",
  "rate_limit_429",
  "server_500",
  "empty_reply",
  "half_json",
  "changed_model",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Failures that a client is right to retry soon: all but a hang and another model. */
export const RETRIED_FAULT_KINDS: readonly FaultKind[] = FAULT_KINDS.filter(
  (kind) => kind !== "hang" && kind !== "changed_model",
);

/** Which requests fail, and how. */
export interface FaultOptions {
  /** Share of attempts that fail, in [0, 1]. */
  readonly rate: number;
  /** 1 unless given. */
  readonly seed?: number;
  /** {@link RETRIED_FAULT_KINDS} unless given. */
  readonly kinds?: readonly FaultKind[];
  /** Failures that one request may meet before it is answered whatever the rate; 3 unless given. */
  readonly mostPerRequest?: number;
  /** How long a hang lasts before its connection is reset, milliseconds; 30,000 unless given. */
  readonly hangMs?: number;
  /** What a refusal of status 429 asks to wait, seconds; 1 unless given. */
  readonly retryAfterSeconds?: number;
}

/** Decides by seed, request and attempt alone, so that a schedule of failures can be had again. */
export class FaultPlan {
  readonly #options: Required<FaultOptions>;

  /** @throws SERVE_FAULTS_INVALID for a rate that is no share, or no kinds. */
  constructor(options: FaultOptions) {
    this.#options = {
      seed: 1,
      kinds: RETRIED_FAULT_KINDS,
      mostPerRequest: 3,
      hangMs: 30_000,
      retryAfterSeconds: 1,
      ...options,
    };
    const { rate, kinds } = this.#options;
    if (rate >= 0 && rate <= 1 && kinds.length > 0) return;
    throw new GradusError(
      "SERVE_FAULTS_INVALID",
      `cannot plan faults: got rate ${rate} and kinds ${JSON.stringify(kinds)}, expected a share from 0 to 1 and at least one kind`,
    );
  }

  get hangMs(): number {
    return this.#options.hangMs;
  }

  get retryAfterSeconds(): number {
    return this.#options.retryAfterSeconds;
  }

  /** The failure of an attempt at a request, `null` for none. `attempt` counts from 0. */
  faultOf(requestHash: string, attempt: number): FaultKind | null {
    const { seed, rate, kinds, mostPerRequest } = this.#options;
    let failures = 0;
    for (let at = 0; at <= attempt; at += 1) {
      if (failures >= mostPerRequest) return null;
      const random = new SeededRandom(seed, "fault", requestHash, at);
      const fails = random.next() < rate;
      if (at === attempt) return fails ? (random.pick(kinds) ?? null) : null;
      if (fails) failures += 1;
    }
    return null;
  }
}

/** A reply that is spoilt: what is sent in place of a good one. */
export interface SpoiltReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The reply of a failure that sends a whole response; `completion` is what would have been sent. */
export function spoiltReply(
  kind: Exclude<FaultKind, "connection_reset" | "hang" | "cut_body">,
  completion: Readonly<Record<string, Json>>,
  retryAfterSeconds: number,
): SpoiltReply {
  const whole = JSON.stringify(completion);
  switch (kind) {
    case "error_200":
      return spoilt(200, errorText("overloaded_error", "the model is overloaded"));
    case "rate_limit_429": {
      const headers = { "retry-after": String(retryAfterSeconds) };
      return spoilt(429, errorText("rate_limit_error", "too many requests"), headers);
    }
    case "server_500":
      return spoilt(500, errorText("server_error", "the engine died"));
    case "empty_reply":
      return spoilt(200, JSON.stringify({ ...completion, choices: [EMPTY_CHOICE] }));
    case "half_json":
      return spoilt(200, whole.slice(0, Math.floor(whole.length / 2)));
    case "changed_model":
    default:
      return spoilt(200, JSON.stringify({ ...completion, model: "another-model" }));
  }
}

const EMPTY_CHOICE = { index: 0, message: { role: "assistant", content: "" }, finish_reason: "stop" };

function spoilt(status: number, body: string, headers: Readonly<Record<string, string>> = {}): SpoiltReply {
  return { status, headers, body };
}

function errorText(type: string, message: string): string {
  return JSON.stringify({ error: { message, type, code: null } });
}
