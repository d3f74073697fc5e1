import path from "node:path";
import { z } from "zod";
import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { listFolder } from "../../io/files.ts";
import { Written, readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit, sourceFile } from "../source-files.ts";
import { readTables } from "../tables-file.ts";

const Row = z.object({
  db_id: Written,
  question: Written,
  sql: Written,
  external_knowledge: z.string().nullish(),
  sql_complexity: z.string().nullish(),
  cot: z.string().nullish(),
});

/** The whole set, and a part of it under a name of its own. */
const WHOLE = "data.json";
const PART = /^synsql.*\.jsonl?$/i;

/**
 * SynSQL: synthetic questions with published reasoning. `data.json` is the release `2.5M`; where it is
 * absent, the first `synsql*.json` is read as a release named by its stem.
 */
const synsql = defineLoader({
  id: "synsql",
  version: 1,
  splits: ["train"],
  license: "Apache-2.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    const release = file.name === WHOLE ? "2.5M" : path.parse(file.name).name;
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "synsql", release: source.release ?? release, split: source.split },
      row: Row,
      convert: (row, index) => [
        {
          sourceId: String(index),
          databaseId: row.db_id,
          question: row.question,
          gold: [row.sql],
          evidence: textOrNull(row.external_knowledge),
          difficulty: textOrNull(row.sql_complexity),
          referenceReasoning: textOrNull(row.cot),
        },
      ],
    });
  },
  schemas: (source) => readTables(source.root, tables(source)),
  databaseFolders: (source) => [path.resolve(source.root, "databases")],
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(synsql, source);
  const parts = (await listFolder(source.root)).filter((name) => PART.test(name));
  const questions = await pickFile(source.root, [WHOLE, ...parts], { role: "questions", required: true });
  return [questions, tables(source)];
}

function tables(source: DatasetSource): SourceFile {
  return sourceFile(source.root, "tables.json", "tables", false);
}

function textOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === "" ? null : text;
}

export default synsql;
