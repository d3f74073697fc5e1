import { defineLoader, type DatasetSource, type SourceFile } from "../../core/loader.ts";
import { GradusError } from "../../core/errors.ts";
import { InteractionRow, dialogueTurns } from "../dialogue-rows.ts";
import { readQuestions } from "../question-rows.ts";
import { pickFile, requireSplit, sourceFile } from "../source-files.ts";
import { onlyRelease, spiderDatabaseFolders, spiderSchemas, spiderTables } from "../spider-layout.ts";

const FOLDER = "sql_state_tracking";
const RECONSTRUCTED = "reconstructed";

/**
 * CoSQL's state tracking: one example a turn. Golds are kept with `! =`, `> =`, `< =` joined, as its
 * evaluator runs them. Where the official train file is absent, `cosql_train.reconstructed.json` is read as
 * the release `reconstructed`.
 */
const cosql = defineLoader({
  id: "cosql",
  version: 1,
  splits: ["train", "dev"],
  license: "CC-BY-SA-4.0",
  files,
  async *load(source) {
    const [file] = await files(source);
    yield* readQuestions({
      root: source.root,
      file,
      dataset: { name: "cosql", release: releaseOf(source, file), split: source.split },
      row: InteractionRow,
      convert: dialogueTurns,
    });
  },
  schemas: spiderSchemas,
  databaseFolders: spiderDatabaseFolders,
});

async function files(source: DatasetSource): Promise<[SourceFile, ...SourceFile[]]> {
  requireSplit(cosql, source);
  const { root, split } = source;
  const official = `${FOLDER}/cosql_${split}.json`;
  const rebuilt = `${FOLDER}/cosql_${split}.${RECONSTRUCTED}.json`;
  let names = [official, rebuilt];
  if (split !== "train") names = [official];
  else if (source.release === RECONSTRUCTED) names = [rebuilt];
  return [
    await pickFile(root, names, { role: "questions", required: true }),
    await spiderTables(source),
    sourceFile(root, `${FOLDER}/${split}_gold.txt`, "gold", false),
  ];
}

function releaseOf(source: DatasetSource, file: SourceFile): string {
  if (!file.name.includes(`.${RECONSTRUCTED}.`)) return onlyRelease(source);
  if (source.release === null || source.release === RECONSTRUCTED) return RECONSTRUCTED;
  throw new GradusError(
    "DATASET_RELEASE_MISMATCH",
    `${file.name} is the release "${RECONSTRUCTED}", expected "${source.release}"`,
    {
      site: { file: file.name },
      hint: `name the release "${RECONSTRUCTED}", or add the official train file`,
    },
  );
}

export default cosql;
