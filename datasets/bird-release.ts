import { GradusError } from "../core/errors.ts";
import { RowDigest } from "../core/key.ts";
import type { SourceFile } from "../core/loader.ts";
import { digestFile } from "../io/files.ts";
import { readDatasetRows } from "./question-rows.ts";
import { presentFiles } from "./source-files.ts";

/** A published file of BIRD questions. */
interface KnownRelease {
  readonly split: string;
  readonly release: string;
  readonly rows: number;
  /** Digest of its rows' fields, whatever their layout; `null` where the file was never seen. */
  readonly digest: string | null;
}

const KNOWN: readonly KnownRelease[] = [
  {
    split: "dev",
    release: "2023-original",
    rows: 1534,
    digest: "050dfb5352bda9bb5b6d8fc868e728e6ac07ee9a93b8ab3d198aeeb41fc8352b",
  },
  {
    split: "dev",
    release: "2024-06-27",
    rows: 1534,
    digest: "9384ae7fa4e674b3151aa2d951f12aa77a4ba5b69e7e7b55c9fde5e4a9442920",
  },
  { split: "dev", release: "2025-11-06", rows: 1534, digest: null },
  { split: "train", release: "original", rows: 9428, digest: null },
  {
    split: "train",
    release: "filtered",
    rows: 6601,
    digest: "fa8cbacda58eac0b8db523dafbad2f5e15688f92d1134c1135712dc653820ed5",
  },
  {
    split: "mini_dev",
    release: "archive",
    rows: 500,
    digest: "d2406270c126e5bc8fa81b6d7a42ee63b34d29d8bd20015f8225dbcc7c70a9a8",
  },
];
const FIELDS = ["question_id", "db_id", "question", "evidence", "SQL", "difficulty"];

/** A questions file and the release that its content is. */
export interface RecognisedFile {
  readonly file: SourceFile;
  readonly release: string;
}

/**
 * Chooses the questions file of a split. Without a named release it is the first that is there, named by
 * its content: `unrecognised-<12 digits of the file's SHA-256>` unless the content is a known one. With a
 * named release it is the first file of that content; a name without a known content may be given to an
 * unrecognised file, if the number of rows fits. None of `candidates` there: the first, as `unrecognised`.
 * @throws DATASET_RELEASE_MISMATCH when no file is of the named release, DATASET_FILE_MALFORMED.
 */
export async function chooseRelease(
  split: string,
  candidates: readonly [SourceFile, ...SourceFile[]],
  named: string | null,
): Promise<RecognisedFile> {
  const present = await presentFiles(candidates);
  const first = present[0];
  if (first === undefined) return { file: candidates[0], release: named ?? "unrecognised" };
  if (named === null) return { file: first, release: (await recognise(split, first)).release };
  const found: string[] = [];
  const known = KNOWN.find((one) => one.split === split && one.release === named);
  for (const file of present) {
    const content = await recognise(split, file);
    const fits = known === undefined || (known.digest === null && known.rows === content.rows);
    if (content.release === named || (!content.recognised && fits)) return { file, release: named };
    found.push(`${file.name} is ${content.release} (${content.rows} rows)`);
  }
  throw new GradusError(
    "DATASET_RELEASE_MISMATCH",
    `no file of ${split} is the release "${named}": ${found.join("; ")}`,
    {
      site: { file: first.name },
      hint: "leave the release out to take the file under the name of its content",
    },
  );
}

async function recognise(
  split: string,
  file: SourceFile,
): Promise<{ release: string; rows: number; recognised: boolean }> {
  const { digest, rows } = await contentDigest(file);
  const known = KNOWN.find((one) => one.split === split && one.digest === digest);
  if (known !== undefined) return { release: known.release, rows, recognised: true };
  const { sha256 } = await digestFile(file.path);
  return { release: `unrecognised-${sha256.slice(0, 12)}`, rows, recognised: false };
}

/** Digest of the fields that make a question, so that indentation and key order do not matter. */
async function contentDigest(file: SourceFile): Promise<{ digest: string; rows: number }> {
  const rows = new RowDigest();
  for await (const { value } of readDatasetRows(file)) {
    const row = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    rows.add(FIELDS.map((field) => row[field] ?? null));
  }
  return { rows: rows.count, digest: rows.finish() };
}
