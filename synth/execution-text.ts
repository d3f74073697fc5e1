import type { Execution, ExecutionLimits } from "../core/execution.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

const MESSAGE_CHARACTERS = 1_000;

/** An absolute path of at least two parts, of Unix (also as a `file:` address) or Windows. */
const MACHINE_PATH = /(?<![\w/.])(?:file:(?:\/\/)?)?(?:\/[\w.@+~-]+){2,}\/?|\b[A-Za-z]:\\[\w.@+~\\-]+/g;

/**
 * Why a statement gave no rows to show, for the agent that sent it: one line, without any path of the
 * machine and without anything that could close a tag. For the statuses other than `ok` and `empty`.
 */
export function failureText({ status, message }: Execution, limits: ExecutionLimits): string {
  const shown = shortenText(oneLineText(message.replace(MACHINE_PATH, "[path]")).trim(), MESSAGE_CHARACTERS);
  return escapeProtocolTags(statusText(status, shown === "" ? "no reason given" : shown, limits));
}

function statusText(status: Execution["status"], message: string, limits: ExecutionLimits): string {
  switch (status) {
    case "timeout":
      return `Timeout: the statement was stopped after ${limits.cpuMs / 1000} s of CPU time.`;
    case "too_large":
      return `Too large: the result has more than ${limits.maxRows} rows or ${limits.maxBytes} bytes.`;
    case "denied":
      return `Refused: ${message}`;
    case "crashed":
      return "Failed: the statement ended the database engine, most likely for lack of memory.";
    default:
      return `Error: ${message}`;
  }
}
