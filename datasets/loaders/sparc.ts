import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { InteractionRow, dialogueTurns } from "../dialogue-rows.ts";
import { readQuestions } from "../question-rows.ts";
import { requireSplit, sourceFile } from "../source-files.ts";
import { onlyRelease, spiderDatabaseFolders, spiderSchemas, spiderTables } from "../spider-layout.ts";

/** SParC: one example a turn. Golds are kept with `! =`, `> =`, `< =` joined, as its evaluator runs them. */
const sparc = defineLoader({
  id: "sparc",
  version: 1,
  splits: ["train", "dev"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "sparc", release: onlyRelease(source), split: source.split },
      row: InteractionRow,
      convert: dialogueTurns,
    });
  },
  schemas: spiderSchemas,
  databaseFolders: spiderDatabaseFolders,
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(sparc, source);
  return [
    sourceFile(source.root, `${source.split}.json`, "questions", true),
    await spiderTables(source),
    sourceFile(source.root, `${source.split}_gold.txt`, "gold", false),
  ];
}

export default sparc;
