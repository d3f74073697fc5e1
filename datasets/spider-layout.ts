import path from "node:path";
import { z } from "zod";
import type { DatasetSource, LoadedSchema, SourceFile } from "../core/loader.ts";
import { type RowContent, Written } from "./question-rows.ts";
import { pickFile } from "./source-files.ts";
import { readTables } from "./tables-file.ts";

/** Where Spider's own folder may lie, seen from a dataset that runs on its databases. */
const HOMES = ["", "../spider/", "../../spider/"];

/** Folders of Spider's databases: the dataset's own, then those of a Spider folder beside or above it. */
export function spiderDatabaseFolders(source: DatasetSource): string[] {
  return HOMES.map((home) => path.resolve(source.root, `${home}database`));
}

/** The `tables.json` of the dataset, else Spider's. */
export function spiderTables(source: DatasetSource): Promise<SourceFile> {
  const names = HOMES.map((home) => `${home}tables.json`);
  return pickFile(source.root, names, { role: "tables", required: true });
}

/** The schemas of {@link spiderTables}. Throws as `readTables`. */
export async function spiderSchemas(source: DatasetSource): Promise<LoadedSchema[]> {
  return readTables(source.root, await spiderTables(source));
}

/** A row of Spider and of the sets made in its shape. */
export const SpiderRow = z.object({ db_id: Written, question: Written, query: Written });

/** The content of such a row; its place is its name. */
export function spiderContent(row: z.infer<typeof SpiderRow>, index: number): RowContent {
  return { sourceId: String(index), databaseId: row.db_id, question: row.question, gold: [row.query] };
}

/** The release of a set that was published once. */
export function onlyRelease(source: DatasetSource): string {
  return source.release ?? "1.0";
}
