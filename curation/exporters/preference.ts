import { z } from "zod";
import { defineExporterWithOptions, type ShardForm } from "../../core/shard.ts";
import { ORIGIN_COLUMNS } from "../exported-messages.ts";
import { preferencePair } from "../preference-rows.ts";

const Options = z.strictObject({
  /** Whether thoughts between `<think>` tags stay in the text or are left out. */
  thoughts: z.enum(["text", "dropped"]).default("text"),
});

const MESSAGES = { list: { struct: { role: "string", content: "string" } } } as const;

/** A right reply beside a wrong one behind the same messages, as TRL's `DPOTrainer` takes them. */
export default defineExporterWithOptions({
  id: "preference",
  version: 1,
  format: "jsonl",
  set: "pairs",
  options: Options,
  open: ({ thoughts }): ShardForm => ({
    columns: [
      { name: "prompt", type: MESSAGES },
      { name: "chosen", type: MESSAGES },
      { name: "rejected", type: MESSAGES },
      { name: "tools", type: "string" },
      { name: "rejected_id", type: "string" },
      ...ORIGIN_COLUMNS,
    ],
    lossy: [
      "Messages are role and text alone: native calls stand in the text in Hermes' form, as the templates of Qwen write them.",
      "Trajectories are cut at the first reply in which they differ: what follows it is not written, for trainers would learn tool results as well.",
      "A right trajectory is paired with the first wrong one of its question behind the same prompt; without one it is refused.",
    ],
    usage:
      "TRL's `DPOTrainer` takes `prompt`, `chosen`, `rejected` and `tools` as they are; so do ms-swift and OpenRLHF after renaming.",
    rows(row) {
      const { prompt, chosen, rejected, tools, origin } = preferencePair(row, "preference", thoughts);
      const parts = { prompt, chosen: [chosen], rejected: [rejected], tools };
      return [{ ...parts, rejected_id: row.rejected?.id ?? "", ...origin }];
    },
  }),
});
