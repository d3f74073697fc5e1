import path from "node:path";
import { z } from "zod";
import { defineLoader, type DatasetSource, type LoadedSchema, type SourceFile } from "../../core/loader.ts";
import { kindOf, listFolder } from "../../io/files.ts";
import { chooseRelease, type RecognisedFile } from "../bird-release.ts";
import { describeColumns } from "../column-descriptions.ts";
import { Written, readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit, sourceFile } from "../source-files.ts";
import { readTables } from "../tables-file.ts";

const Row = z.object({
  question_id: z.union([z.int(), Written]).nullish(),
  db_id: Written,
  question: Written,
  evidence: z.string().nullish(),
  SQL: Written,
  difficulty: z.string().nullish(),
});

/** Where a split's files lie below the root, the official places first. */
interface Layout {
  readonly questions: readonly [string, ...string[]];
  readonly tables: readonly string[];
  readonly tablesRequired: boolean;
  readonly golds: readonly string[];
  readonly databases: readonly string[];
}

const DEV_TABLES = ["dev/dev_tables.json", "dev_20240627/dev_tables.json", "dev_tables.json"];
const DEV_DATABASES = ["dev/dev_databases", "dev_20240627/dev_databases", "dev_databases"];
const LAYOUTS: Readonly<Record<string, Layout>> = {
  dev: {
    questions: ["dev/dev.json", "dev_20240627/dev.json", "dev.json", "dev_2023_original/dev.json"],
    tables: DEV_TABLES,
    tablesRequired: true,
    golds: ["dev/dev.sql", "dev_20240627/dev.sql", "dev.sql"],
    databases: DEV_DATABASES,
  },
  train: {
    questions: [
      "train/train.json",
      "train.json",
      "train/bird23-train-filtered/train.json",
      "bird23-train-filtered/train.json",
    ],
    tables: ["train/train_tables.json", "train_tables.json"],
    tablesRequired: false,
    golds: ["train/train_gold.sql", "train_gold.sql"],
    databases: ["train/train_databases", "train_databases"],
  },
  mini_dev: {
    questions: [
      "mini_dev/mini_dev_sqlite.json",
      "minidev/MINIDEV/mini_dev_sqlite.json",
      "MINIDEV/mini_dev_sqlite.json",
      "mini_dev_sqlite.json",
    ],
    tables: [
      "mini_dev/dev_tables.json",
      "minidev/MINIDEV/dev_tables.json",
      "MINIDEV/dev_tables.json",
      ...DEV_TABLES,
    ],
    tablesRequired: true,
    golds: [
      "mini_dev/mini_dev_sqlite_gold.sql",
      "MINIDEV/mini_dev_sqlite_gold.sql",
      "mini_dev_sqlite_gold.sql",
    ],
    databases: [
      "mini_dev/dev_databases",
      "minidev/MINIDEV/dev_databases",
      "MINIDEV/dev_databases",
      ...DEV_DATABASES,
    ],
  },
};

/**
 * BIRD with its named releases, recognised by content: see `chooseRelease`. Mini-Dev is read for SQLite
 * only. `difficulty` and `evidence` are those published; a blank evidence is none. Comments of columns come
 * from the description files beside each database.
 */
const bird = defineLoader({
  id: "bird",
  version: 1,
  splits: ["train", "dev", "mini_dev"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const { file, release } = await recognised(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "bird", release, split: source.split },
      row: Row,
      convert: (row, index) => [
        {
          sourceId: String(row.question_id ?? index),
          databaseId: row.db_id,
          question: row.question,
          evidence: (row.evidence ?? "").trim() === "" ? null : (row.evidence ?? null),
          gold: [row.SQL],
          difficulty: row.difficulty ?? null,
        },
      ],
    });
  },
  async schemas(source) {
    const loaded = await readTables(source.root, await tables(source));
    const described: LoadedSchema[] = [];
    for (const one of loaded) {
      const csvs = (await descriptionFiles(source, one.schema.databaseId)).map((file) => file.path);
      described.push(await describeColumns(one, csvs));
    }
    return described;
  },
  databaseFolders: (source) => layoutOf(source).databases.map((name) => path.resolve(source.root, name)),
});

function layoutOf(source: DatasetSource): Layout {
  requireSplit(bird, source);
  return LAYOUTS[source.split] as Layout;
}

async function files(source: DatasetSource): Promise<readonly SourceFile[]> {
  const { golds, databases } = layoutOf(source);
  const questions = await questionsOf(source);
  const gold = await pickFile(source.root, golds, { role: "gold", required: false });
  const descriptions: SourceFile[] = [];
  const seen = new Set<string>();
  for (const folder of databases) {
    for (const databaseId of await subfolders(path.resolve(source.root, folder))) {
      if (seen.has(databaseId)) continue;
      seen.add(databaseId);
      descriptions.push(...(await descriptionFiles(source, databaseId)));
    }
  }
  return [questions, await tables(source), gold, ...descriptions];
}

/** The questions file; its content is looked at only to find a named release among several. */
async function questionsOf(source: DatasetSource): Promise<SourceFile> {
  if (source.release !== null) return (await recognised(source)).file;
  return pickFile(source.root, layoutOf(source).questions, { role: "questions", required: true });
}

function recognised(source: DatasetSource): Promise<RecognisedFile> {
  const [first, ...rest] = layoutOf(source).questions;
  const candidate = (name: string): SourceFile => sourceFile(source.root, name, "questions", true);
  return chooseRelease(source.split, [candidate(first), ...rest.map(candidate)], source.release);
}

function tables(source: DatasetSource): Promise<SourceFile> {
  const layout = layoutOf(source);
  return pickFile(source.root, layout.tables, { role: "tables", required: layout.tablesRequired });
}

/** The description files of a database, from the first folder that has any. */
async function descriptionFiles(source: DatasetSource, databaseId: string): Promise<SourceFile[]> {
  for (const folder of layoutOf(source).databases) {
    const name = `${folder}/${databaseId}/database_description`;
    const csvs = (await listFolder(path.resolve(source.root, name))).filter((file) =>
      /^[^.].*\.csv$/i.test(file),
    );
    if (csvs.length > 0)
      return csvs.map((file) => sourceFile(source.root, `${name}/${file}`, "descriptions", false));
  }
  return [];
}

async function subfolders(folder: string): Promise<string[]> {
  const names = await listFolder(folder);
  const kinds = await Promise.all(names.map((name) => kindOf(path.join(folder, name))));
  return names.filter((_, index) => kinds[index] === "folder");
}

export default bird;
