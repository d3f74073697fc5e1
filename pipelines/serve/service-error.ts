import { GradusError, messageOf } from "../../core/errors.ts";

/** An error as clients get it. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

/** Codes that are the client's to mend, by the status that says so; any other is 500. */
const STATUSES: Readonly<Record<string, number>> = {
  REQUEST_INVALID: 400,
  EPISODE_OPTIONS_INVALID: 400,
  EPISODE_HISTORY_MISSING: 400,
  PLUG_UNKNOWN: 400,
  REWARD_OPTIONS_INVALID: 400,
  TOKEN_REFUSED: 401,
  ORIGIN_REFUSED: 403,
  ROUTE_UNKNOWN: 404,
  EXAMPLE_UNKNOWN: 404,
  DATABASE_UNKNOWN: 404,
  TOOL_UNKNOWN: 404,
  EPISODE_UNKNOWN: 404,
  EPISODE_BUSY: 409,
  EPISODE_ENDED: 409,
  EPISODE_TURN_WRONG: 409,
  REQUEST_TOO_LARGE: 413,
  SERVICE_BUSY: 429,
  SERVICE_FULL: 429,
  SQL_JUDGE_CLOSED: 503,
  INTERRUPTED: 503,
};

/** The status of a failure. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof GradusError) return STATUSES[thrown.code] ?? 500;
  const status = (thrown as { readonly statusCode?: unknown } | null)?.statusCode;
  return typeof status === "number" && status >= 400 ? status : 500;
}

/** What a client is told of a failure. */
export function errorBody(thrown: unknown): ErrorBody {
  if (thrown instanceof GradusError) {
    const { code, message, hint = "" } = thrown;
    return { error: { code, message, hint } };
  }
  const status = statusOf(thrown);
  const refusal = status === 413 ? "REQUEST_TOO_LARGE" : "REQUEST_INVALID";
  const code = status < 500 ? refusal : "SERVICE_FAILED";
  return { error: { code, message: messageOf(thrown), hint: "" } };
}
