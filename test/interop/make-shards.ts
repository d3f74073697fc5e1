import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { variedRows } from "./fixture-rows.ts";
import { runExport } from "./export-runner.ts";

const CASES = [
  { name: "verl-rl-many", exporter: "verl-rl", set: "rl", train: 53, validation: 12, rowsPerFile: 20 },
  { name: "verl-rl-one", exporter: "verl-rl", set: "rl", train: 1, validation: 1, rowsPerFile: 20 },
  { name: "verl-rl-no-validation", exporter: "verl-rl", set: "rl", train: 3, validation: 0, rowsPerFile: 20 },
  {
    name: "messages-sft-many",
    exporter: "messages-sft",
    set: "sft",
    train: 53,
    validation: 12,
    rowsPerFile: 20,
  },
  { name: "messages-sft-one", exporter: "messages-sft", set: "sft", train: 3, validation: 1, rowsPerFile: 1 },
  {
    name: "messages-sft-plain",
    exporter: "messages-sft",
    set: "sft",
    train: 1,
    validation: 1,
    rowsPerFile: 20,
  },
] as const;

/** Writes a shard folder per case below `root`, which is emptied first; returns the folders. */
export async function makeShards(root: string): Promise<string[]> {
  await rm(root, { recursive: true, force: true });
  const folders: string[] = [];
  for (const { name, exporter, set, train, validation, rowsPerFile } of CASES) {
    const folder = path.join(root, name);
    await mkdir(folder, { recursive: true });
    const options = {
      exporter,
      rowsPerFile,
      datasetName: `Fixture ${name}`,
      license: "cc0-1.0",
      recipe: { name },
    };
    const outcome = await runExport(variedRows(set, train, validation), options, folder);
    if (outcome.rejects.length > 0) throw new Error(`${name}: ${JSON.stringify(outcome.rejects[0])}`);
    folders.push(folder);
  }
  return folders;
}
