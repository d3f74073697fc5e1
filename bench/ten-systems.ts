import { readdirSync } from "node:fs";
import path from "node:path";
import type { Example } from "../core/example.ts";
import { createPlugFinder } from "../pipelines/plugs.ts";

/** The ten published systems' answers to one question of Spider dev. */
export interface JudgedGroup {
  readonly databaseId: string;
  readonly gold: string;
  readonly predictions: readonly string[];
}

/** The groups of Spider dev, in its order, from the shared data folder. */
export async function tenSystemGroups(shared: string): Promise<JudgedGroup[]> {
  const plugs = createPlugFinder();
  const loader = await plugs.find("loader", "spider");
  const examples: Example[] = [];
  const source = { root: path.join(shared, "data/spider"), split: "dev", release: null };
  for await (const row of loader.load(source)) if (row.kind === "example") examples.push(row.example);
  const answers: string[][] = examples.map(() => []);
  const folder = path.join(shared, "data/predictions/spider_dev");
  for (const name of readdirSync(folder).sort()) {
    const format = await plugs.find("prediction-format", name.endsWith(".csv") ? "csv" : "lines");
    for await (const row of format.read(path.join(folder, name))) answers[row.position]?.push(row.sql ?? "");
  }
  return examples.map((example, index) => ({
    databaseId: example.databaseId,
    gold: example.gold[0] ?? "",
    predictions: answers[index] ?? [],
  }));
}
