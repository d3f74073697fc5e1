import { z } from "zod";
import { defineExporterWithOptions, type ExportRow, type ShardForm } from "../../core/shard.ts";
import { goldsOf, groupId, textPrompt, unsupportedRow } from "../exported-messages.ts";

const PLUG = "skyrl-rl";

const Options = z.strictObject({
  /**
   * The environment class. `gradus`: one that plays the scaffold's own protocol; `text2sql`: SkyRL's own, which knows
   * its own tags and the databases of Spider, BIRD's train split and SynSQL alone.
   */
  envClass: z.string().min(1).default("gradus"),
});

/** Where SkyRL's own environment looks for the databases of a dataset. */
const STOCK: Readonly<Record<string, string>> = {
  spider: "spider",
  "spider-syn": "spider",
  "spider-realistic": "spider",
  cosql: "spider",
  sparc: "spider",
  synsql: "synsql",
};

/** Prompts with their golds as SkyRL's `PromptDataset` reads them: what an environment needs stands at the top. */
export default defineExporterWithOptions({
  id: PLUG,
  version: 1,
  format: "parquet",
  set: "rl",
  options: Options,
  open: ({ envClass }): ShardForm => ({
    columns: [
      { name: "data_source", type: "string" },
      { name: "prompt", type: { list: { struct: { role: "string", content: "string" } } } },
      { name: "env_class", type: "string" },
      { name: "reward_spec", type: { struct: { method: "string", ground_truth: "string" } } },
      { name: "db_id", type: "string" },
      { name: "data", type: "string" },
      {
        name: "extra_info",
        type: {
          struct: {
            index: "int64",
            split: "string",
            example_id: "string",
            database_sha256: "string",
            golds: { list: "string" },
            level: "int64",
            scaffold: "string",
            tools: "string",
            task: "string",
            group_id: "string",
            gold_links: "string",
            full_schema: "string",
            oracle_schema: "string",
            simulated: "bool",
          },
        },
      },
    ],
    lossy: [
      "`reward_spec.ground_truth` is the first gold; all of them are in `extra_info.golds`.",
      "Tools of native calls are in `extra_info.tools` as JSON: SkyRL's loader shows a prompt's messages alone.",
      "SkyRL's own `text2sql` grades sets of rows, so that order and duplicates do not count, and its observations depend on Python's hash seed.",
      'What is absent reads as "" or -1 (level).',
    ],
    usage: [
      "List the files in `data.train_data` and `data.val_data`. Every column but `prompt` and `env_class` reaches the",
      `environment, which is \`${envClass}\`. Raise \`trainer.max_prompt_length\`: longer prompts are dropped.`,
    ].join("\n"),
    rows: (row) => [cellsOf(row, envClass)],
  }),
});

function cellsOf(row: ExportRow, envClass: string) {
  const { example, linking } = row;
  const golds = goldsOf(row, PLUG);
  return {
    data_source: `gradus/${example.dataset.name}`,
    prompt: textPrompt(row, PLUG),
    env_class: envClass,
    reward_spec: { method: "rule", ground_truth: golds[0] },
    db_id: example.databaseId,
    data: envClass === "text2sql" ? stockData(row) : example.dataset.name,
    extra_info: {
      index: row.index,
      split: row.split,
      example_id: example.id,
      database_sha256: row.databaseDigest,
      golds: [...golds],
      level: row.level ?? -1,
      scaffold: row.scaffold?.id ?? "",
      tools: row.tools.length === 0 ? "" : JSON.stringify(row.tools),
      task: row.task,
      group_id: groupId(row),
      gold_links: linking === null ? "" : JSON.stringify(linking.goldLinks),
      full_schema: linking?.full ?? "",
      oracle_schema: linking?.oracle ?? "",
      simulated: row.simulated,
    },
  };
}

function stockData({ example }: ExportRow): string {
  const { name, split } = example.dataset;
  const data = name === "bird" && split === "train" ? "bird" : STOCK[name];
  if (data !== undefined) return data;
  throw unsupportedRow(
    PLUG,
    example.id,
    `SkyRL's text2sql has no place for databases of ${name}, split ${split}`,
  );
}
