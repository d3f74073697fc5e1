import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { ExportRow, ShardSet } from "../../core/shard.ts";
import { runExport } from "./export-runner.ts";
import { writeByteTokenizer } from "./byte-tokenizer.ts";
import { variedRows } from "./fixture-rows.ts";

interface Case {
  readonly name: string;
  readonly exporter: string;
  readonly set: ShardSet;
  readonly train: number;
  readonly validation: number;
  readonly rowsPerFile: number;
  readonly options?: Readonly<Record<string, string | null>>;
  readonly staged?: boolean;
  readonly keep?: (row: ExportRow) => boolean;
}

const isInText = ({ tools }: ExportRow): boolean => tools.length === 0;
const MANY = { train: 53, validation: 12, rowsPerFile: 20 } as const;

const CASES: readonly Case[] = [
  { name: "verl-rl-many", exporter: "verl-rl", set: "rl", ...MANY },
  { name: "verl-rl-one", exporter: "verl-rl", set: "rl", train: 1, validation: 1, rowsPerFile: 20 },
  { name: "verl-rl-no-validation", exporter: "verl-rl", set: "rl", train: 3, validation: 0, rowsPerFile: 20 },
  { name: "verl-rl-staged", exporter: "verl-rl", set: "rl", ...MANY, staged: true },
  { name: "single-turn-rl", exporter: "single-turn-rl", set: "baseline", ...MANY },
  { name: "gold-sft", exporter: "gold-sft", set: "baseline", ...MANY },
  { name: "skyrl-rl", exporter: "skyrl-rl", set: "rl", ...MANY },
  { name: "skyrl-rl-stock", exporter: "skyrl-rl", set: "rl", ...MANY, options: { envClass: "text2sql" } },
  { name: "trl-grpo", exporter: "trl-grpo", set: "rl", ...MANY },
  { name: "nemo-gym", exporter: "nemo-gym", set: "rl", ...MANY },
  { name: "openrlhf", exporter: "openrlhf", set: "rl", ...MANY },
  { name: "messages-sft-many", exporter: "messages-sft", set: "sft", ...MANY },
  { name: "messages-sft-one", exporter: "messages-sft", set: "sft", train: 3, validation: 1, rowsPerFile: 1 },
  {
    name: "messages-sft-plain",
    exporter: "messages-sft",
    set: "sft",
    train: 1,
    validation: 1,
    rowsPerFile: 20,
  },
  ...["prime-rl", "skyrl", "ms-swift", "axolotl", "nemo-rl"].map((target) => ({
    name: `messages-sft-${target}`,
    exporter: "messages-sft",
    set: "sft" as const,
    ...MANY,
    options: { for: target },
  })),
  { name: "verl-sft", exporter: "verl-sft", set: "sft", ...MANY, keep: isInText },
  { name: "llama-factory", exporter: "llama-factory", set: "sft", ...MANY },
  { name: "llama-factory-each", exporter: "llama-factory", set: "sft", ...MANY, options: { turns: "each" } },
  { name: "pretokenized", exporter: "pretokenized", set: "sft", ...MANY },
  { name: "preference", exporter: "preference", set: "pairs", ...MANY },
  { name: "kto", exporter: "kto", set: "pairs", ...MANY },
];

/** Writes a shard folder per case below `root`, which is emptied first; returns the folders. */
export async function makeShards(root: string): Promise<string[]> {
  await rm(root, { recursive: true, force: true });
  const tokenizer = writeByteTokenizer(path.join(root, "tokenizer"));
  const folders: string[] = [];
  for (const { name, exporter, set, train, validation, rowsPerFile, ...rest } of CASES) {
    const folder = path.join(root, name);
    await mkdir(folder, { recursive: true });
    const options = {
      exporter,
      options: exporter === "pretokenized" ? tokenizer : (rest.options ?? {}),
      rowsPerFile,
      staged: rest.staged ?? false,
      datasetName: `Fixture ${name}`,
      license: "cc0-1.0",
      recipe: { name },
    };
    const rows = variedRows(set, train, validation).filter(rest.keep ?? (() => true));
    const outcome = await runExport(rows, options, folder);
    if (outcome.rejects.length > 0) throw new Error(`${name}: ${JSON.stringify(outcome.rejects[0])}`);
    folders.push(folder);
  }
  return folders;
}
