import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit } from "../source-files.ts";
import {
  SpiderRow,
  onlyRelease,
  spiderContent,
  spiderDatabaseFolders,
  spiderSchemas,
  spiderTables,
} from "../spider-layout.ts";

/** Spider-Realistic: Spider dev questions that do not name their columns, on the same databases. */
const spiderRealistic = defineLoader({
  id: "spider-realistic",
  version: 1,
  splits: ["dev"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "spider-realistic", release: onlyRelease(source), split: source.split },
      row: SpiderRow,
      convert: (row, index) => [spiderContent(row, index)],
    });
  },
  schemas: spiderSchemas,
  databaseFolders: spiderDatabaseFolders,
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(spiderRealistic, source);
  const questions = await pickFile(source.root, ["spider-realistic.json"], {
    role: "questions",
    required: true,
  });
  return [questions, await spiderTables(source)];
}

export default spiderRealistic;
