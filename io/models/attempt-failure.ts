import { GradusError, messageOf } from "../../core/errors.ts";
import { timeOfDay } from "../clock.ts";
import { interruption } from "./interruption.ts";
import { retryAfterMs, type ReplyHeaders } from "./retry-delay.ts";
import type { Secret } from "./secret.ts";

/** The server as messages name it, and the key that they must not show. */
export interface ServerIdentity {
  /** `the server at http://127.0.0.1:8000/v1`. */
  readonly label: string;
  readonly secret: Secret;
}

/** `retry`: counts as an attempt; `slow`: the same, and ask less at once; `busy`: ask less and later; `final`: never again. */
export type FailureKind = "retry" | "slow" | "busy" | "final";

/** Why one attempt brought no reply, free of the key. */
export interface AttemptFailure {
  readonly error: GradusError;
  readonly kind: FailureKind;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null;
}

/** What an error reply says of itself. */
export interface ServerComplaint {
  readonly message: string;
  /** `insufficient_quota`, `429`, …; empty when it gives none. */
  readonly code: string;
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  MODEL_RATE_LIMITED: "busy",
  MODEL_OVERLOADED: "busy",
  MODEL_TIMED_OUT: "slow",
  MODEL_SERVER_FAILED: "retry",
  MODEL_CONNECTION_FAILED: "retry",
  MODEL_REPLY_CUT: "retry",
  MODEL_REPLY_ERROR: "retry",
  MODEL_REPLY_INVALID: "retry",
};

/** Sorts whatever an attempt threw: our own errors by their code, those of the client libraries by HTTP status. */
export function classifyFailure(thrown: unknown, server: ServerIdentity): AttemptFailure {
  const own = ownError(thrown);
  if (own !== undefined) return { error: cleaned(own, server), kind: kindOf(own), retryAfterMs: null };
  const status = fieldOf(thrown, "status");
  if (typeof status === "number") {
    const error = statusError(status, complaintOf(fieldOf(thrown, "error"), messageOf(thrown)), server);
    const headers = fieldOf(thrown, "headers");
    return {
      error,
      kind: kindOf(error),
      retryAfterMs: hasGet(headers) ? retryAfterMs(headers, timeOfDay()) : null,
    };
  }
  const body = fieldOf(thrown, "error");
  if (typeof body === "object" && body !== null) {
    const error = errorBodyFailure(complaintOf(body, messageOf(thrown)), server);
    return { error, kind: kindOf(error), retryAfterMs: null };
  }
  const error = new GradusError(
    "MODEL_CLIENT_FAILED",
    `cannot ask ${server.label}: ${server.secret.excerpt(messageOf(thrown))}`,
    { cause: server.secret.cleanError(thrown) },
  );
  return { error, kind: "final", retryAfterMs: null };
}

/** The failure of a caller that stopped, of a request that took too long, or of a server that answers nothing at all. */
export function abortFailure(
  reason: "stopped" | "too slow" | "silent",
  timeoutMs: number,
  server: ServerIdentity,
): AttemptFailure {
  if (reason === "stopped") return { error: interruption(), kind: "final", retryAfterMs: null };
  if (reason === "silent") {
    const message = `${server.label} takes requests and answers nothing, its health check neither`;
    return { error: new GradusError("MODEL_SERVER_SILENT", message), kind: "retry", retryAfterMs: null };
  }
  const error = new GradusError(
    "MODEL_TIMED_OUT",
    `${server.label} gave no complete reply within ${timeoutMs} ms`,
    { hint: "raise requestTimeoutMs of this model, or ask for fewer tokens" },
  );
  return { error, kind: "slow", retryAfterMs: null };
}

/** The error of a reply with status 200 that holds an error: by the status in it, if there is one. */
export function errorBodyFailure(complaint: ServerComplaint, server: ServerIdentity): GradusError {
  if (/^[45]\d\d$/.test(complaint.code)) return statusError(Number(complaint.code), complaint, server);
  return new GradusError(
    "MODEL_REPLY_ERROR",
    `${server.label} answered with status 200 and an error: ${server.secret.excerpt(complaint.message)}`,
  );
}

/** The error of an HTTP status from 300 up. */
export function statusError(status: number, complaint: ServerComplaint, server: ServerIdentity): GradusError {
  const said = `${server.label} answered ${status}: ${server.secret.excerpt(complaint.message)}`;
  if (status === 401 || status === 403) {
    const { variable } = server.secret;
    return new GradusError("MODEL_KEY_REFUSED", said, {
      hint:
        variable === null
          ? "the server wants a key: put it into an environment variable and name that as apiKeyVariable"
          : `check the key in the environment variable ${variable}`,
    });
  }
  if (status === 402 || complaint.code === "insufficient_quota") {
    return new GradusError("MODEL_BUDGET_SPENT", said, {
      hint: "the account at the provider has no money left: top it up and run the same command again",
    });
  }
  if (status === 429) return new GradusError("MODEL_RATE_LIMITED", said);
  if (status === 503 || status === 529) return new GradusError("MODEL_OVERLOADED", said);
  if (status === 408 || status === 504 || status === 524) return new GradusError("MODEL_TIMED_OUT", said);
  if (status >= 500 || status === 409 || status === 425) return new GradusError("MODEL_SERVER_FAILED", said);
  return new GradusError("MODEL_REQUEST_REFUSED", said, {
    hint: "the server will not take this request as it is: check the model name, the sampling parameters and the length of the prompt",
  });
}

/** Finds the message and code in the error objects of servers: `{error: {…}}`, `{message}`, `{detail}`, a string. */
export function complaintOf(body: unknown, otherwise: string): ServerComplaint {
  if (typeof body === "string" && body !== "") return { message: body, code: "" };
  if (typeof body !== "object" || body === null) return { message: otherwise, code: "" };
  const nested = fieldOf(body, "error");
  if ((typeof nested === "object" && nested !== null) || typeof nested === "string") {
    const inner = complaintOf(nested, otherwise);
    return inner.code === "" ? { message: inner.message, code: codeOf(body) } : inner;
  }
  const said = fieldOf(body, "message") ?? fieldOf(body, "detail");
  const message = typeof said === "string" ? said : JSON.stringify(said ?? body);
  return { message, code: codeOf(body) };
}

function codeOf(body: unknown): string {
  for (const name of ["code", "status", "type"]) {
    const value = fieldOf(body, name);
    if (typeof value === "number") return String(value);
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

function kindOf(error: GradusError): FailureKind {
  return KINDS[error.code] ?? "final";
}

function ownError(thrown: unknown): GradusError | undefined {
  let current = thrown;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof GradusError) return current;
    current = current.cause;
  }
  return undefined;
}

function cleaned(error: GradusError, server: ServerIdentity): GradusError {
  return server.secret.cleanError(error) as GradusError;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function hasGet(value: unknown): value is ReplyHeaders {
  return typeof fieldOf(value, "get") === "function";
}
