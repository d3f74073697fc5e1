import { z } from "zod";
import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { Written, readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit } from "../source-files.ts";
import { onlyRelease, spiderDatabaseFolders, spiderSchemas, spiderTables } from "../spider-layout.ts";

const Row = z.object({ db_id: Written, SpiderQuestion: Written, SpiderSynQuestion: Written, query: Written });

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  dev: ["dev.json", "Spider-Syn/dev.json"],
  train: ["train_spider.json", "Spider-Syn/train_spider.json"],
};

/** Spider-Syn: Spider's questions with words exchanged for synonyms; the original is what they paraphrase. */
const spiderSyn = defineLoader({
  id: "spider-syn",
  version: 1,
  splits: ["dev", "train"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "spider-syn", release: onlyRelease(source), split: source.split },
      row: Row,
      convert: (row, index) => [
        {
          sourceId: String(index),
          databaseId: row.db_id,
          question: row.SpiderSynQuestion,
          paraphraseOf: row.SpiderQuestion,
          gold: [row.query],
        },
      ],
    });
  },
  schemas: spiderSchemas,
  databaseFolders: spiderDatabaseFolders,
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(spiderSyn, source);
  const names = QUESTIONS[source.split] ?? [];
  const questions = await pickFile(source.root, names, { role: "questions", required: true });
  return [questions, await spiderTables(source)];
}

export default spiderSyn;
