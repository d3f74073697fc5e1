import { defineExporter } from "../../core/shard.ts";
import { verlColumns, verlRow } from "../verl-rows.ts";

const FORM = { plug: "single-turn-rl", toolNames: [], agentName: null };

/** The baseline to practise on: the same questions as `verl-rl` behind the single-turn prompt, without tools. */
export default defineExporter({
  id: "single-turn-rl",
  version: 1,
  format: "parquet",
  set: "baseline",
  columns: verlColumns(FORM),
  lossy: [
    "A baseline: whatever agents saw, the prompt is the single-turn one, and no tool is named.",
    'What is absent reads as "" (text) or -1 (level, turn): Parquet fields are never null here.',
  ],
  usage: [
    "As `verl-rl`: list the files in `data.train_files` and `data.val_files`; `data.shuffle=False` keeps the order of",
    "the curriculum. verl's default agent loop, `single_turn_agent`, plays the rows.",
  ].join("\n"),
  row: (row) => verlRow(row, FORM),
});
