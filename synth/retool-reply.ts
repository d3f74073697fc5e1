import { z } from "zod";
import type { ToolSchema } from "../core/model.ts";
import type { LinkedTable, Message } from "../core/trajectory.ts";
import { readActions, type ReadCall } from "./call-parser.ts";
import { partPad } from "./scratch-pad.ts";
import { tagBlocks, type TagBlock } from "./tag-blocks.ts";
import { sqlIn } from "./tag-parser.ts";

/** A final query. */
export interface RetoolAnswer {
  /** Trimmed and out of its fence; empty when the block is, or never ends. */
  readonly sql: string;
  readonly isClosed: boolean;
  /** Where it stands in {@link RetoolReply.visible}, and ends. */
  readonly start: number;
  readonly end: number;
}

/** A reply in ReToolSQL's protocol, taken apart. */
export interface RetoolReply {
  /** What the scratch pads hold; `null` without one. */
  readonly pad: string | null;
  readonly isPadOpen: boolean;
  /** What stands outside the scratch pads. */
  readonly visible: string;
  readonly calls: readonly ReadCall[];
  /** Of several blocks all, in order; of those that never end only one that is alone. */
  readonly answers: readonly RetoolAnswer[];
  /** The last schema block; `null` without one. */
  readonly schema: string | null;
  readonly isForged: boolean;
}

/**
 * Takes a reply apart whose thought is parted from it already. What stands in scratch pads, in calls and in
 * results of the model's own making means nothing.
 */
export function readRetool(
  { content, toolCalls }: Pick<Message, "content" | "toolCalls">,
  tools: readonly ToolSchema[],
): RetoolReply {
  const { pad, rest, isOpen } = partPad(content);
  const { calls, isForged } = readActions(rest, toolCalls, tools);
  const spans = calls.flatMap(({ start, raw }) =>
    start === null ? [] : [{ start, end: start + raw.length }],
  );
  const blocks = tagBlocks(rest, ["final_answer", "schema"], spans);
  const finals = blocks.filter(({ name }) => name === "final_answer");
  const closed = finals.filter(({ isClosed }) => isClosed);
  return {
    pad,
    isPadOpen: isOpen,
    visible: rest,
    calls,
    answers: (closed.length > 0 || calls.length > 0 ? closed : finals).map(answerOf),
    schema: blocks.findLast(({ name, isClosed }) => name === "schema" && isClosed)?.inner ?? null,
    isForged,
  };
}

function answerOf({ inner, isClosed, start, end }: TagBlock<string>): RetoolAnswer {
  return { sql: isClosed ? sqlIn(inner) : "", isClosed, start, end };
}

const Schema = z.record(z.string(), z.array(z.string()));

/**
 * The tables and columns that an agent says its query uses, from what a `<schema>` block holds; `null` when
 * that is not one JSON object with a list of columns for each table. That they are annotated is the paper's,
 * the block is ours. @paper ReToolSQL, turn protocol
 */
export function annotatedSchema(inner: string): LinkedTable[] | null {
  try {
    const parsed = Schema.safeParse(JSON.parse(sqlIn(inner)));
    if (!parsed.success) return null;
    return Object.entries(parsed.data).map(([table, columns]) => ({ table, columns }));
  } catch {
    return null;
  }
}
