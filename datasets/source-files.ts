import path from "node:path";
import { GradusError, nearMiss } from "../core/errors.ts";
import type { DatasetSource, SourceFile } from "../core/loader.ts";
import { kindOf, listFolder } from "../io/files.ts";

type Role = SourceFile["role"];

/** A file by its name below the root. */
export function sourceFile(root: string, name: string, role: Role, required: boolean): SourceFile {
  return { name, path: path.resolve(root, name), role, required };
}

/** The first of `names` that is there, else the first: the place where it is expected. */
export async function pickFile(
  root: string,
  names: readonly string[],
  traits: Pick<SourceFile, "role" | "required">,
): Promise<SourceFile> {
  const files = names.map((name) => sourceFile(root, name, traits.role, traits.required));
  const present = await presentFiles(files);
  const file = present[0] ?? files[0];
  if (file === undefined) throw new GradusError("DATASET_LAYOUT_EMPTY", "no file name to choose from");
  return file;
}

/** Those of `files` that exist, in their order. */
export async function presentFiles(files: readonly SourceFile[]): Promise<SourceFile[]> {
  const kinds = await Promise.all(files.map((file) => kindOf(file.path)));
  return files.filter((_, index) => kinds[index] === "file");
}

/**
 * Checks that every required file is there.
 * @throws DATASET_FILE_MISSING for the first that is not.
 */
export async function requireFiles(root: string, files: readonly SourceFile[]): Promise<void> {
  for (const file of files) {
    if (file.required && (await kindOf(file.path)) !== "file") throw await fileMissing(root, file, files);
  }
}

const LISTED = 24;

async function fileMissing(
  root: string,
  file: SourceFile,
  files: readonly SourceFile[],
): Promise<GradusError> {
  const expected = file.role === "questions" ? "the questions of this split" : `the ${file.role} file`;
  const gold =
    file.role === "questions" ? await presentFiles(files.filter((one) => one.role === "gold")) : [];
  const alone = gold[0] === undefined ? "" : `; ${gold[0].name} is there, but it holds no questions`;
  const entries = await listFolder(root);
  const shown = entries.slice(0, LISTED).join(", ") + (entries.length > LISTED ? ", …" : "");
  const there = entries.length === 0 ? "the folder is empty or missing" : `the folder holds: ${shown}`;
  return new GradusError(
    "DATASET_FILE_MISSING",
    `there is no file ${file.name} below ${root}, expected ${expected} there${alone}`,
    {
      site: { file: file.name },
      hint: `${there}; check the root, and that the download was unpacked whole`,
    },
  );
}

/**
 * Checks the name of a split.
 * @throws DATASET_SPLIT_UNKNOWN naming the near miss and the known ones.
 */
export function requireSplit(loader: { id: string; splits: readonly string[] }, source: DatasetSource): void {
  if (loader.splits.includes(source.split)) return;
  const near = nearMiss(source.split, loader.splits);
  throw new GradusError(
    "DATASET_SPLIT_UNKNOWN",
    `${loader.id} has no split "${source.split}", expected one of: ${loader.splits.join(", ")}`,
    { hint: near === undefined ? "choose one of the splits above" : `did you mean "${near}"?` },
  );
}
