import { copyFile } from "node:fs/promises";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { GradusError, messageOf } from "../core/errors.ts";
import { keyOf } from "../core/key.ts";
import { digestFile, fileError, kindOf, listFolder, makeFolder, move, readText, remove } from "./files.ts";

/**
 * Lays out the sample dataset with its databases built from SQL text, below `cache`, once per content, and
 * returns the folder: `spider/`, `cosql/`, `bird/`, each in its official layout.
 * @throws SAMPLE_BROKEN when `source` is empty or a database cannot be built.
 */
export async function layOutSample(source: string, cache: string): Promise<string> {
  const files = await listBelow(source, "");
  if (files.length === 0) {
    throw new GradusError("SAMPLE_BROKEN", `there is no sample dataset in ${source}`, {
      hint: "install the package again",
    });
  }
  const digests: Record<string, string> = {};
  for (const file of files) digests[file] = (await digestFile(path.join(source, file))).sha256;
  const target = path.join(cache, `sample-${keyOf(digests).slice(0, 16)}`);
  if ((await kindOf(target)) === "folder") return target;
  const partial = `${target}.partial-${process.pid}`;
  await remove(partial);
  await copyLayouts(source, partial, files);
  const built = await buildDatabases(path.join(source, "databases"), path.join(partial, "built"));
  for (const folder of [
    "spider/database",
    "cosql/database",
    "bird/train/train_databases",
    "bird/dev/dev_databases",
  ]) {
    for (const database of built) await placeDatabase(partial, folder, database);
  }
  await remove(path.join(partial, "built"));
  if ((await kindOf(target)) === "missing") {
    await move(partial, target).catch(async (thrown: unknown) => {
      if ((await kindOf(target)) !== "folder") throw thrown;
    });
  }
  await remove(partial);
  return target;
}

async function listBelow(root: string, relative: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listFolder(path.join(root, relative))) {
    const child = relative === "" ? name : `${relative}/${name}`;
    if ((await kindOf(path.join(root, child))) === "folder") found.push(...(await listBelow(root, child)));
    else found.push(child);
  }
  return found;
}

/** Copies all but the SQL text, the description files and what no pipeline reads. */
async function copyLayouts(source: string, target: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!/^(spider|cosql|bird)\//.test(file) || file.startsWith("bird/descriptions/")) continue;
    await copyTo(path.join(source, file), path.join(target, file));
  }
  for (const file of files.filter((name) => name.startsWith("bird/descriptions/"))) {
    const [, , databaseId, name] = file.split("/");
    for (const split of ["train", "dev"]) {
      const folder = path.join(
        target,
        "bird",
        split,
        `${split}_databases`,
        databaseId ?? "",
        "database_description",
      );
      await copyTo(path.join(source, file), path.join(folder, name ?? ""));
    }
  }
}

async function copyTo(from: string, to: string): Promise<void> {
  await makeFolder(path.dirname(to));
  try {
    await copyFile(from, to);
  } catch (thrown) {
    throw fileError("write", to, thrown);
  }
}

async function buildDatabases(sqlFolder: string, target: string): Promise<{ id: string; file: string }[]> {
  await makeFolder(target);
  const built: { id: string; file: string }[] = [];
  for (const name of (await listFolder(sqlFolder)).filter((file) => file.endsWith(".sql"))) {
    const id = path.parse(name).name;
    const file = path.join(target, `${id}.sqlite`);
    buildDatabase(file, await readText(path.join(sqlFolder, name)), name);
    built.push({ id, file });
  }
  return built;
}

/** Makes a database file from SQL text. Throws SAMPLE_BROKEN with the text's name. */
function buildDatabase(file: string, sql: string, name: string): void {
  const connection = new SqliteDatabase(file);
  try {
    connection.pragma("journal_mode = OFF");
    connection.exec(sql);
  } catch (thrown) {
    throw new GradusError("SAMPLE_BROKEN", `cannot build the sample database ${name}: ${messageOf(thrown)}`, {
      hint: "install the package again",
      cause: thrown,
    });
  } finally {
    connection.close();
  }
}

async function placeDatabase(
  root: string,
  folder: string,
  database: { id: string; file: string },
): Promise<void> {
  await copyTo(database.file, path.join(root, folder, database.id, `${database.id}.sqlite`));
}
