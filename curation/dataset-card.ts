import { stringify } from "yaml";
import { canonicalJson, type Json } from "../core/key.ts";
import type { ShardFile } from "../core/rows.ts";
import type { ColumnType, Exporter, PromptSource, ShardForm } from "../core/shard.ts";
import type { FunnelCount } from "./count-funnel.ts";

/** Rows of one split: written, those shaped by a simulated model among them, and refused. */
export interface SplitCounts {
  readonly rows: number;
  readonly simulated: number;
  readonly refused: number;
}

/** What a dataset card tells. */
export interface CardFacts {
  readonly datasetName: string;
  /** A licence identifier as the Hugging Face Hub spells it (`cc-by-sa-4.0`). */
  readonly license: string;
  readonly recipe: Json;
  readonly sources: readonly {
    readonly name: string;
    readonly split: string;
    readonly release: string | null;
    readonly license: string;
  }[];
  /** The way of questions and answers; empty where nobody counted. */
  readonly funnel: readonly FunnelCount[];
  readonly exporter: Exporter;
  readonly exporterOptions: Json;
  /** How the exporter's rows look under its options. */
  readonly form: ShardForm;
  /** Rows by where their prompt comes from. */
  readonly prompts: Readonly<Record<PromptSource, number>>;
  readonly files: readonly ShardFile[];
  readonly splits: Readonly<Record<ShardFile["split"], SplitCounts>>;
}

const SPLITS = ["train", "validation"] as const;

const SETS: Readonly<Record<Exporter["set"], string>> = {
  rl: "prompts with verified answers",
  sft: "verified trajectories",
  pairs: "verified trajectories beside wrong ones",
  baseline: "single-turn prompts with verified answers",
};

/**
 * The `README.md` of a shard folder: a YAML header by which `datasets.load_dataset(folder)` finds the
 * splits, and what a reader needs to know. A function of its facts alone: no clock, host or path.
 */
export function datasetCard(facts: CardFacts): string {
  const { exporter, form } = facts;
  const sections = [
    `---\n${header(facts)}---`,
    `# ${oneLine(facts.datasetName)}`,
    ...warning(facts),
    `Text-to-SQL training set (${SETS[exporter.set]}), ` +
      `written by the exporter \`${exporter.id}\`, version ${exporter.version}.`,
    `## Splits\n\n${splitTable(facts)}`,
    ...promptSection(facts),
    ...sourceSection(facts),
    ...funnelSection(facts),
    `## Columns\n\n${columnTable(form)}`,
    `## Loading\n\n${form.usage}`,
    `## What this form does not hold\n\n${form.lossy.map((line) => `- ${line}`).join("\n")}`,
    `## How it was made\n\n${fenced(facts.recipe)}`,
    "`checksums.sha256` lists the SHA-256 of every file (`sha256sum -c checksums.sha256`).",
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Simulated rows over all rows, as a sentence's start: `12 of 40 rows (30.0 %)`; `null` when there are none. */
export function simulatedShare(splits: CardFacts["splits"]): string | null {
  const rows = splits.train.rows + splits.validation.rows;
  const simulated = splits.train.simulated + splits.validation.simulated;
  if (simulated === 0) return null;
  return `${simulated} of ${rows} rows (${((100 * simulated) / rows).toFixed(1)} %)`;
}

/** Where prompts to practise on come from: agents must practise on what they will see. */
function promptSection({ exporter, prompts }: CardFacts): string[] {
  if (exporter.set === "sft") return [];
  const { rollouts, rollouts_differ: differ, no_rollout: without } = prompts;
  const lines = [
    `| what all rollouts of the scaffold saw | ${rollouts} |`,
    `| as the config's \`prompt\` says: rollouts saw different ones | ${differ} |`,
    `| as the config's \`prompt\` says: no rollout of that scaffold | ${without} |`,
  ];
  return [`## Prompts\n\n| prompt | questions |\n|---|---:|\n${lines.join("\n")}`];
}

function sourceSection({ sources }: CardFacts): string[] {
  if (sources.length === 0) return [];
  const lines = sources.map(
    ({ name, split, release, license }) => `| ${name} | ${split} | ${release ?? "recognised"} | ${license} |`,
  );
  return [`## Sources\n\n| dataset | split | release | licence |\n|---|---|---|---|\n${lines.join("\n")}`];
}

function funnelSection({ funnel }: CardFacts): string[] {
  if (funnel.length === 0) return [];
  const lines = funnel.map(({ name, count, depth }) => `${"  ".repeat(depth)}- ${name}: ${count}`);
  return [`## Funnel\n\n${lines.join("\n")}`];
}

function header({ datasetName, license, exporter, files, splits }: CardFacts): string {
  const rows = splits.train.rows + splits.validation.rows;
  return stringify(
    {
      license,
      pretty_name: oneLine(datasetName),
      tags: ["text-to-sql", "gradus", exporter.id],
      task_categories: ["text-generation"],
      size_categories: [sizeCategory(rows)],
      configs: [
        {
          config_name: exporter.id,
          default: true,
          data_files: SPLITS.filter((split) => files.some((file) => file.split === split)).map((split) => ({
            split,
            path: files.filter((file) => file.split === split).map((file) => file.path),
          })),
        },
      ],
    },
    { lineWidth: 0 },
  );
}

const SIZES: readonly (readonly [number, string])[] = [
  [1e3, "n<1K"],
  [1e4, "1K<n<10K"],
  [1e5, "10K<n<100K"],
  [1e6, "100K<n<1M"],
  [1e7, "1M<n<10M"],
];

function sizeCategory(rows: number): string {
  return SIZES.find(([limit]) => rows < limit)?.[1] ?? "10M<n<100M";
}

function warning({ splits }: CardFacts): string[] {
  const share = simulatedShare(splits);
  if (share === null) return [];
  return [
    `**Warning: ${share} were shaped by a simulated model, not by a real one. They show that the pipeline ` +
      "works; do not train on them. The field `simulated` marks them.**",
  ];
}

function splitTable({ files, splits }: CardFacts): string {
  const lines = SPLITS.map((split) => {
    const { rows, simulated, refused } = splits[split];
    const names = files.filter((file) => file.split === split);
    const shown = names.length === 0 ? "no file: the split is empty" : String(names.length);
    return `| ${split} | ${rows} | ${simulated} | ${refused} | ${shown} |`;
  });
  return ["| split | rows | simulated | refused | files |", "|---|---:|---:|---:|---|", ...lines].join("\n");
}

function columnTable({ columns }: ShardForm): string {
  const lines = columns.flatMap(({ name, type }) => columnLines(name, type));
  return ["| column | type |", "|---|---|", ...lines].join("\n");
}

/** A line a column, and one a field below it; a list's items are `[]`. */
function columnLines(path: string, type: ColumnType): string[] {
  if (typeof type === "string") return [`| \`${path}\` | ${type} |`];
  if ("list" in type) {
    if (typeof type.list === "string") return [`| \`${path}\` | list of ${type.list} |`];
    return [`| \`${path}\` | list |`, ...columnLines(`${path}[]`, type.list).slice(1)];
  }
  const fields = Object.entries(type.struct);
  return [
    `| \`${path}\` | struct |`,
    ...fields.flatMap(([name, field]) => columnLines(`${path}.${name}`, field)),
  ];
}

function fenced(recipe: Json): string {
  const text = JSON.stringify(JSON.parse(canonicalJson(recipe)), null, 2);
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
