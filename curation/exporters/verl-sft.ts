import { z } from "zod";
import { defineExporterWithOptions, type ExportRow, type ShardForm } from "../../core/shard.ts";
import type { Message } from "../../core/trajectory.ts";
import {
  checkLearned,
  checkOrder,
  conversation,
  ORIGIN_COLUMNS,
  originCells,
  partReply,
  trajectoryOf,
  unsupportedRow,
} from "../exported-messages.ts";

const PLUG = "verl-sft";

const Options = z.strictObject({
  /** Whether thoughts between `<think>` tags stay in the text or are left out. */
  thoughts: z.enum(["text", "dropped"]).default("text"),
});

/**
 * Trajectories as verl's `MultiTurnSFTDataset` reads them: role and text alone, calls as the agent wrote them in its
 * text. verl renders each message by itself and fills fields that others have with nulls, so tools and calls beside
 * the text cannot be written for it without changing what the model sees.
 */
export default defineExporterWithOptions({
  id: PLUG,
  version: 1,
  format: "parquet",
  set: "sft",
  options: Options,
  open: (options): ShardForm => ({
    columns: [
      { name: "messages", type: { list: { struct: { role: "string", content: "string" } } } },
      ...ORIGIN_COLUMNS,
    ],
    lossy: [
      "verl has no mask by message: every reply is learned, and a trajectory with a sampled turn that must not be learned is refused.",
      "Native calls are refused: verl reads `tools` and `tool_calls` as structs, whose absent fields come back as nulls in the prompt. Sample with calls in text, or export `pretokenized`.",
      "A chat template that drops earlier thoughts (the stock one of Qwen3) fails verl's own check; those of Qwen2.5 and TRL's `qwen3_training.jinja` keep them.",
      'What is absent reads as "" (hardness) or -1 (level).',
    ],
    usage: [
      "List the files in `data.train_files` and `data.val_files`, with `data.messages_key=messages`. Raise",
      "`data.max_length` above the longest row and keep `data.truncation=error`, so that nothing is cut in silence.",
    ].join("\n"),
    rows(row) {
      const trajectory = trajectoryOf(row, PLUG);
      const messages = conversation(row, trajectory);
      checkOrder(messages, PLUG, trajectory.id);
      checkLearned(trajectory, PLUG);
      const written = messages.map((message) => messageCells(message, row, options.thoughts));
      return [{ messages: written, ...originCells(row, trajectory) }];
    },
  }),
});

function messageCells(message: Message, row: ExportRow, thoughts: "text" | "dropped") {
  const id = row.trajectory?.id ?? "";
  const isNative = message.role === "tool" || (row.tools.length > 0 && message.role === "assistant");
  if (isNative) {
    throw unsupportedRow(
      PLUG,
      id,
      "its calls go beside its text, which verl cannot hold: sample with calls in text",
    );
  }
  const isReply = message.role === "assistant" && message.origin !== "given";
  const content = isReply ? partReply(message, thoughts).text : message.rawText;
  return { role: message.role, content };
}
