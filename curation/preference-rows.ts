import type { Json } from "../core/key.ts";
import type { ExportRow } from "../core/shard.ts";
import type { Message } from "../core/trajectory.ts";
import {
  checkOrder,
  conversation,
  functionTool,
  isLearned,
  originCells,
  textMessage,
  trajectoryOf,
  unsupportedRow,
} from "./exported-messages.ts";

/** One turn where a right and a wrong trajectory part, after all that they share. */
export interface PreferencePair {
  readonly prompt: readonly Json[];
  readonly chosen: Json;
  readonly rejected: Json;
  readonly tools: string;
  readonly origin: Readonly<Record<string, Json>>;
}

/**
 * Cuts a right and a wrong trajectory at the first reply in which they differ: trainers of preferences score all that
 * follows the prompt, tool results too, so that only one reply may follow it. Messages are role and text alone.
 * @throws EXPORT_ROW_UNSUPPORTED where there is no wrong one, or they part elsewhere than in a reply to be learned.
 */
export function preferencePair(row: ExportRow, plug: string, thoughts: "text" | "dropped"): PreferencePair {
  const right = trajectoryOf(row, plug);
  const wrong = row.rejected;
  if (wrong === null) {
    throw unsupportedRow(
      plug,
      right.id,
      "no wrong trajectory stands beside it, expected one behind the same prompt",
    );
  }
  const [rightTurns, wrongTurns] = [conversation(row, right), conversation(row, wrong)];
  let shared = 0;
  while (shared < rightTurns.length && isSame(rightTurns[shared], wrongTurns[shared])) shared += 1;
  const [chosen, rejected] = [rightTurns[shared], wrongTurns[shared]];
  if (chosen === undefined || rejected === undefined || !isLearned(chosen) || rejected.role !== "assistant") {
    throw unsupportedRow(
      plug,
      right.id,
      `it parts from wrong trajectory ${wrong.id} at message ${shared}, ${chosen?.role ?? "nothing"} against ${rejected?.role ?? "nothing"}, expected a learned reply of both`,
    );
  }
  checkOrder([...rightTurns.slice(0, shared), chosen], plug, right.id);
  const write = (message: Message, rowId: string): Json => textMessage(message, { plug, rowId, thoughts });
  return {
    prompt: rightTurns.slice(0, shared).map((message) => write(message, right.id)),
    chosen: write(chosen, right.id),
    rejected: write(rejected, wrong.id),
    tools: JSON.stringify(row.tools.map(functionTool)),
    origin: originCells(row, right),
  };
}

function isSame(left: Message | undefined, right: Message | undefined): boolean {
  return left !== undefined && right !== undefined && shown(left) === shown(right);
}

function shown({ role, rawText, toolCalls, toolCallId }: Message): string {
  const calls = toolCalls.map((call) => [call.id, call.name, call.argumentsRaw]);
  return JSON.stringify([role, rawText, calls, toolCallId]);
}
