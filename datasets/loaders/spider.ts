import path from "node:path";
import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit, sourceFile } from "../source-files.ts";
import {
  SpiderRow,
  onlyRelease,
  spiderContent,
  spiderDatabaseFolders,
  spiderTables,
} from "../spider-layout.ts";
import { readTables } from "../tables-file.ts";

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  train: ["train_spider.json"],
  train_others: ["train_others.json"],
  dev: ["dev.json"],
  test: ["test.json", "test_data/dev.json"],
};
const GOLDS: Readonly<Record<string, readonly string[]>> = {
  dev: ["dev_gold.sql"],
  test: ["test_gold.sql", "test_data/dev_gold.sql"],
};
const TEST_TABLES = ["test_tables.json", "test_data/tables.json", "tables.json"];
const TEST_DATABASES = ["test_database", "test_data/database"];

/**
 * Spider in its official layout. `train_gold.sql` holds both train splits in one file, so it is the gold
 * file of neither.
 */
const spider = defineLoader({
  id: "spider",
  version: 1,
  splits: ["train", "train_others", "dev", "test"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "spider", release: onlyRelease(source), split: source.split },
      row: SpiderRow,
      convert: (row, index) => [spiderContent(row, index)],
    });
  },
  schemas: async (source) => readTables(source.root, await tables(source)),
  databaseFolders(source) {
    const own = spiderDatabaseFolders(source);
    if (source.split !== "test") return own;
    return [...TEST_DATABASES.map((name) => path.resolve(source.root, name)), ...own];
  },
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(spider, source);
  const { root, split } = source;
  const questions = await pickFile(root, QUESTIONS[split] ?? [], { role: "questions", required: true });
  const golds = GOLDS[split] ?? [];
  const gold = golds.length === 0 ? [] : [await pickFile(root, golds, { role: "gold", required: false })];
  const all = split.startsWith("train") ? [sourceFile(root, "train_gold.sql", "gold", false)] : gold;
  return [questions, await tables(source), ...all];
}

function tables(source: DatasetSource): Promise<SourceFile> {
  if (source.split !== "test") return spiderTables(source);
  return pickFile(source.root, TEST_TABLES, { role: "tables", required: true });
}

export default spider;
