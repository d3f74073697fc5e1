import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";
import { type FixtureQuestion, shopConfig, shopQuestions, writeShopDataset } from "./spider-fixture.ts";

/**
 * A folder with `run.yaml` and the dataset `shops` that it names: the questions (twelve unless given) on the
 * databases `north` and `south` in turn, and a line of answers to each. `changes` go over the config's keys.
 */
export async function shopWorkspace(
  changes: Readonly<Record<string, unknown>> = {},
  questions: readonly FixtureQuestion[] = shopQuestions(12),
): Promise<string> {
  const folder = await temporaryFolder();
  writeShopDataset(path.join(folder, "shops"), questions, ["north", "south"]);
  writeFileSync(path.join(folder, "run.yaml"), shopConfig(changes));
  return folder;
}
