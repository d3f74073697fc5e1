import { z } from "zod";
import { defineExporterWithOptions, type ShardForm } from "../../core/shard.ts";
import { ORIGIN_COLUMNS } from "../exported-messages.ts";
import { preferencePair } from "../preference-rows.ts";

const Options = z.strictObject({
  /** Whether thoughts between `<think>` tags stay in the text or are left out. */
  thoughts: z.enum(["text", "dropped"]).default("text"),
});

const MESSAGES = { list: { struct: { role: "string", content: "string" } } } as const;

/** Right and wrong replies, a row each, as TRL's `KTOTrainer` takes them: two rows for each pair of `preference`. */
export default defineExporterWithOptions({
  id: "kto",
  version: 1,
  format: "jsonl",
  set: "pairs",
  options: Options,
  open: ({ thoughts }): ShardForm => ({
    columns: [
      { name: "prompt", type: MESSAGES },
      { name: "completion", type: MESSAGES },
      { name: "label", type: "bool" },
      { name: "tools", type: "string" },
      ...ORIGIN_COLUMNS,
    ],
    lossy: [
      "Messages are role and text alone: native calls stand in the text in Hermes' form, as the templates of Qwen write them.",
      "Trajectories are cut at the first reply in which they differ: what follows it is not written.",
      "A right trajectory without a wrong one behind the same prompt is refused, so that there are as many of each.",
      "`id` and `source` of both rows are those of the right trajectory.",
    ],
    usage: "TRL's `KTOTrainer` takes `prompt`, `completion` and `label` as they are.",
    rows(row) {
      const { prompt, chosen, rejected, tools, origin } = preferencePair(row, "kto", thoughts);
      return [
        { prompt, completion: [chosen], label: true, tools, ...origin },
        { prompt, completion: [rejected], label: false, tools, ...origin },
      ];
    },
  }),
});
