import path from "node:path";
import pMap from "p-map";
import { type DatabaseSchema, isReadable } from "../../core/database.ts";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { ProfileOptions, type SearchReply } from "../../core/database-profiler.ts";
import { GradusError } from "../../core/errors.ts";
import { kindOf } from "../../io/files.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { createDatabaseProfiler } from "../database-profiler.ts";
import { splitsPresent } from "../doctor.ts";
import { interruptSignal } from "../interrupt.ts";
import { resolvePath } from "../paths.ts";
import { createPlugFinder } from "../plugs.ts";
import { renderMatches, renderProfile } from "../render-profile.ts";
import { defaultWorkers } from "../run-services.ts";
import { createSqlJudge } from "../sql-judge.ts";
import { safeJson } from "../terminal-text.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printText,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly root?: string;
  readonly split?: string;
  readonly database?: string[];
  readonly search?: string;
  readonly words?: boolean;
  readonly workers?: string;
}

/** Databases to profile, with their descriptions and files. */
interface Sources {
  readonly schemas: ReadonlyMap<string, DatabaseSchema | null>;
  readonly fileOf: (databaseId: string) => string | null;
}

interface Profiled {
  readonly profile: DatabaseProfile;
  readonly matches: SearchReply | null;
  /** Why the database cannot be read; `null` where it can. */
  readonly problem: string | null;
}

/** Matches that a search shows. */
const SHOWN_MATCHES = { maxNames: 10, maxValues: 20, maxValuesPerColumn: 5 };

/** `gradus profile`: what databases hold, the keys that their data show, and a search through them. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("profile <target>")
        .description("what a dataset's databases, or one database file, hold; made once and kept")
        .option("--root <dir>", "folder of the dataset (default: its name below the data root)")
        .option("--split <name>", "split whose databases to profile (default: the first that is there)")
        .option("--database <ids...>", "only these databases of the dataset")
        .option("--search <text>", "show what a search for the text finds, instead of the profile")
        .option("--words", "search for whole words, not for parts and near spellings")
        .option("--workers <n>", "worker processes (default: one a core)"),
    )
      .addHelpText(
        "after",
        "\nProfiles and search indices are kept in .profiles in the folder of the runs.\n" +
          "\nExample:\n  gradus profile bird --root ~/data/bird --database superhero\n" +
          "  gradus profile sales.sqlite --search 'north region'",
      )
      .action(profile);
  },
};

async function profile(target: string, options: Options): Promise<void> {
  const interrupt = interruptSignal(writeError);
  const roots = pathRoots(options, process.cwd());
  try {
    const workers =
      options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
    checkSearch(options);
    const sources = await sourcesOf(target, options);
    const judge = createSqlJudge({ workers, databasePath: sources.fileOf, signal: interrupt.signal });
    try {
      const found = await profileAll(sources, options, {
        judge,
        workers,
        cacheFolder: path.join(path.resolve(roots.runsFolder), ".profiles"),
      });
      print(found, options);
      refuseUnreadable(found.filter(({ problem }) => problem !== null));
    } finally {
      await judge.close();
    }
  } finally {
    interrupt.release();
  }
}

/** Throws `USAGE` for an empty search, or words without one. */
function checkSearch({ search, words }: Options): void {
  if (search?.trim() === "") throw new GradusError("USAGE", '--search got "", expected a text to search for');
  if (words === true && search === undefined) {
    throw new GradusError("USAGE", "--words says how to search, and there is no --search");
  }
}

async function sourcesOf(target: string, options: Options): Promise<Sources> {
  if ((await kindOf(target)) === "file") {
    const given = (["root", "split", "database"] as const).find((name) => options[name] !== undefined);
    if (given === undefined) return ofFile(target);
    throw new GradusError("USAGE", `--${given} goes with a dataset, and ${target} is a file`);
  }
  const loaders = await createPlugFinder().list("loader");
  if (loaders.includes(target)) return ofDataset(target, options);
  throw new GradusError("USAGE", `there is no file and no loader "${target}"`, {
    hint: `give the path of a SQLite database, or one of: ${loaders.join(", ")}`,
  });
}

/** Throws DATABASES_UNREADABLE where some could not be read: what was made of the others is printed before. */
function refuseUnreadable(found: readonly Profiled[]): void {
  if (found.length === 0) return;
  const told = found.map(({ profile: { databaseId }, problem }) => `${databaseId} (${problem})`);
  throw new GradusError("DATABASES_UNREADABLE", `cannot read ${told.join(", ")}, expected SQLite databases`, {
    hint: "fetch the files again, or check that the path is a database",
  });
}

function ofFile(file: string): Sources {
  return { schemas: new Map([[path.parse(file).name, null]]), fileOf: () => path.resolve(file) };
}

/** The databases of the split that was named, else of the first that has all that were asked for. */
async function ofDataset(id: string, options: Options): Promise<Sources> {
  const loader = await createPlugFinder().find("loader", id);
  const root = await resolvePath(options.root ?? id, pathRoots(options, process.cwd()));
  const splits = options.split === undefined ? await splitsPresent(loader, root, null) : [options.split];
  for (const split of splits) {
    const source = { root, split, release: null };
    const fileOf = databaseLocator(loader.databaseFolders(source));
    const described = new Map(
      (await loader.schemas(source)).map(({ schema }) => [schema.databaseId, schema] as const),
    );
    const ids = options.database ?? [...described.keys()].filter((name) => fileOf(name) !== null);
    if (ids.length === 0 || ids.some((name) => fileOf(name) === null)) continue;
    return { schemas: new Map(ids.map((name) => [name, described.get(name) ?? null])), fileOf };
  }
  const wanted = options.database === undefined ? "databases" : options.database.join(" and ");
  throw new GradusError("USAGE", `${id} has no files of ${wanted} below ${root}, in ${splits.join(", ")}`, {
    hint: `run gradus doctor ${id} to see what is there`,
  });
}

async function profileAll(
  { schemas, fileOf }: Sources,
  options: Options,
  using: { judge: ReturnType<typeof createSqlJudge>; workers: number; cacheFolder: string },
): Promise<Profiled[]> {
  const { judge, workers, cacheFolder } = using;
  const reporter = reporterFor(options);
  const profiler = createDatabaseProfiler(judge, () => cacheFolder);
  const profileOptions = ProfileOptions.parse({});
  let finished = 0;
  reporter.stepStarted("profile", []);
  return pMap(
    schemas,
    async ([databaseId, described]) => {
      const request = { databaseId, path: fileOf(databaseId), described, valuesPerColumn: 0 };
      const database = await judge.inspect(request);
      const problem = isReadable(database) ? null : database.message;
      if (problem === null && database.message !== "") {
        reporter.warn("profile", `${databaseId}: ${database.message}`);
      }
      const made = await profiler.profile(database, profileOptions, (done, total) => {
        if (schemas.size === 1) reporter.progress("profile", done, total);
      });
      finished += 1;
      if (schemas.size > 1) reporter.progress("profile", finished, schemas.size);
      const { search: text } = options;
      if (text === undefined) return { profile: made, matches: null, problem };
      const matcher = options.words === true ? "words" : "trigram";
      const search = { database, options: profileOptions, text, matcher, ...SHOWN_MATCHES } as const;
      return { profile: made, matches: await profiler.search(search), problem };
    },
    { concurrency: workers },
  );
}

function print(found: readonly Profiled[], options: Options): void {
  const readable = found.filter(({ problem }) => problem === null);
  if (options.json === true) {
    return printText(
      safeJson(
        readable.map(({ profile: made, matches }) =>
          matches === null ? made : { databaseId: made.databaseId, ...matches },
        ),
      ),
    );
  }
  if (readable.length === 0) return;
  printText(
    readable
      .map(({ profile: made, matches }) =>
        matches === null ? renderProfile(made) : `${made.databaseId}:\n${renderMatches(matches)}`,
      )
      .join("\n\n"),
  );
}

export default command;
