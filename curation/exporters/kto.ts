import { z } from "zod";
import { defineExporterWithOptions, type ShardForm } from "../../core/shard.ts";
import { ORIGIN_COLUMNS } from "../exported-messages.ts";
import { preferencePair } from "../preference-rows.ts";

const Options = z.strictObject({
  /** Where thoughts between `<think>` tags go; `auto`: in a field where calls are native, in the text elsewhere. */
  thoughts: z.enum(["auto", "text", "field", "dropped"]).default("auto"),
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
