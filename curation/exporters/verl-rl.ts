import { z } from "zod";
import { stringify } from "yaml";
import { defineExporterWithOptions, type ShardFacts, type ShardForm } from "../../core/shard.ts";
import { functionTool } from "../exported-messages.ts";
import { verlGrpoScripts } from "../launch-recipes.ts";
import { verlColumns, verlRow } from "../verl-rows.ts";

const Options = z.strictObject({
  /** The agent loop that plays every row, as verl knows it; `null` for the one that the trainer's config names. */
  agentName: z.string().min(1).nullable().default(null),
  /** The Python class behind the tools in `verl-tools.yaml`. */
  toolClass: z.string().min(1).default("verl_tool.GradusTool"),
});

/**
 * Prompts with their golds in the columns that verl's `RLHFDataset` reads. `reward_model.ground_truth` is a
 * JSON string, `{"db_id", "gold": […]}`, as a reward function gets it. Every row has the key of every tool of the
 * shard; which of them its agent has is its `tool_selection`. verl takes tool schemas from a file: that of tools which
 * requests carried beside the messages stands beside the shard.
 */
export default defineExporterWithOptions({
  id: "verl-rl",
  version: 2,
  format: "parquet",
  set: "rl",
  options: Options,
  readsFacts: () => true,
  open({ agentName, toolClass }, facts): ShardForm {
    const form = { plug: "verl-rl", toolNames: facts.toolNames, agentName };
    return {
      columns: verlColumns(form),
      lossy: [
        "No sampled trajectory is written: a row is a prompt with its golds.",
        "Earlier turns of a dialogue are in the prompt alone, without their golds.",
        'What is absent reads as "" (text) or -1 (level, turn): Parquet fields are never null here.',
        "verl drops `items`, `default` and nested properties of a tool's parameters.",
      ],
      usage: usageOf(facts),
      rows: (row) => [verlRow(row, form)],
      sideFiles: (content) => [
        ...(facts.tools.length === 0 ? [] : [{ path: "verl-tools.yaml", text: toolFile(facts, toolClass) }]),
        ...verlGrpoScripts(content, facts),
      ],
    };
  },
});

function usageOf({ toolNames, tools }: ShardFacts): string {
  return [
    "List the files in `data.train_files` and `data.val_files`: verl takes neither folders nor patterns.",
    "Rows are in curriculum order; `data.shuffle=False` keeps it. Set `data.max_prompt_length` above the",
    "longest prompt: verl cuts longer ones at their start. `launch/` has scripts with the papers' hyper-parameters.",
    "",
    "A reward function (`reward.custom_reward_function.path`) gets `ground_truth` as a JSON string:",
    "`json.loads(ground_truth)` has `db_id` and `gold`, the list of accepted queries.",
    ...(toolNames.length === 0
      ? []
      : [
          `A tool (${toolNames.join(", ")}) gets \`db_id\`, \`database_sha256\` and \`example_id\` when it is created.`,
        ]),
    ...(tools.length === 0
      ? []
      : [
          "Agents call their tools through the server: set `rollout.multi_turn.tool_config_path` to `verl-tools.yaml`,",
          "so that prompts show the schemas that the sampled requests carried.",
        ]),
  ].join("\n");
}

function toolFile({ tools }: ShardFacts, className: string): string {
  return stringify(
    {
      tools: tools.map((tool) => ({
        class_name: className,
        config: { type: "native" },
        tool_schema: functionTool(tool),
      })),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
