import path from "node:path";
import { type Database, isReadable } from "../core/database.ts";
import type { DatabaseProfile } from "../core/database-profile.ts";
import type {
  DatabaseProfiler,
  ProfileOptions,
  SearchReply,
  SearchRequest,
} from "../core/database-profiler.ts";
import { GradusError } from "../core/errors.ts";
import { identityOf } from "../core/key.ts";
import { RecentMap } from "../core/recent-map.ts";
import { digestFile, remove } from "../io/files.ts";
import {
  type CachedProfile,
  makeProfileFolder,
  publishProfile,
  readCachedProfile,
} from "../io/profile-cache.ts";
import { PROFILER_VERSION } from "../io/profile-database.ts";
import { scanLimitMs } from "./sql-judge-limits.ts";
import { failure, type TaskPool } from "./sql-task-pool.ts";

/** Profiles that are kept in memory; the others are read again. */
const KEPT_PROFILES = 512;

/** CPU time of one search, milliseconds. */
const SEARCH_LIMIT_MS = 60_000;

type Progress = (done: number, total: number) => void;

/** A profile that is being read or made, and who hears of it. */
interface Pending {
  readonly profile: Promise<CachedProfile>;
  readonly listeners: Set<Progress>;
}

/** A database as it is cached: `digest` is that of its content, `file` what it is read from. */
interface Identified {
  readonly database: Database;
  readonly options: ProfileOptions;
  readonly file: string;
  readonly digest: string;
  readonly folder: string;
}

/**
 * A profiler over a pool of worker processes. A database's profile and index lie in the cache folder, in a folder
 * named by the digest of its content, the options, its schema with the descriptions, and the profiler's version;
 * it appears in one step, and any number of processes can use one cache. A damaged one is made again. The folder
 * is asked for when the first is needed.
 */
export function createDatabaseProfiler(pool: TaskPool, cacheFolder: () => string): DatabaseProfiler {
  return new CachedDatabaseProfiler(pool, cacheFolder);
}

class CachedDatabaseProfiler implements DatabaseProfiler {
  readonly #pool: TaskPool;
  readonly #cacheFolder: () => string;
  readonly #profiles = new RecentMap<string, Pending>(KEPT_PROFILES);
  readonly #schemaKeys = new WeakMap<object, string>();
  readonly #copyDigests = new Map<string, Promise<string>>();

  constructor(pool: TaskPool, cacheFolder: () => string) {
    this.#pool = pool;
    this.#cacheFolder = cacheFolder;
  }

  async profile(database: Database, options: ProfileOptions, progress?: Progress): Promise<DatabaseProfile> {
    if (!isReadable(database)) return emptyProfile(database);
    const { profile } = await this.#profiled(await this.#identify(database, options), progress);
    return profile;
  }

  async search({ database, options, ...request }: SearchRequest): Promise<SearchReply> {
    if (!isReadable(database)) return { names: [], values: [] };
    const identified = await this.#identify(database, options);
    for (let isFirst = true; ; isFirst = false) {
      const { indexFile } = await this.#profiled(identified);
      let reply: SearchReply | undefined;
      const outcome = await this.#pool.attempt(
        { kind: "search", indexFile, request },
        (part) => {
          if (part.kind === "searched") reply = part.reply;
        },
        SEARCH_LIMIT_MS,
      );
      if (reply !== undefined) return reply;
      const isDamaged = outcome.status === "failed" && outcome.code === "SEARCH_INDEX_DAMAGED";
      if (!isDamaged || !isFirst) throw failure(outcome);
      this.#profiles.delete(identified.folder);
    }
  }

  async #identify(database: Database, options: ProfileOptions): Promise<Identified> {
    const file = await this.#pool.readableFile(database.databaseId);
    if (file === null) throw failed(database, "it has no file");
    const digest = database.status === "wal" ? await this.#copyDigest(file) : database.digest;
    const { schema } = database;
    const schemaKey = this.#schemaKeys.get(schema) ?? identityOf(schema);
    this.#schemaKeys.set(schema, schemaKey);
    const key = identityOf({ version: PROFILER_VERSION, options, schemaKey });
    return { database, options, file, digest, folder: path.join(this.#cacheFolder(), `${digest}-${key}`) };
  }

  /** The digest of a settled copy: a journal is no part of the database's own. */
  #copyDigest(copy: string): Promise<string> {
    const known = this.#copyDigests.get(copy) ?? digestFile(copy).then(({ sha256 }) => sha256);
    this.#copyDigests.set(copy, known);
    return known;
  }

  #profiled(identified: Identified, progress?: Progress): Promise<CachedProfile> {
    const { folder } = identified;
    let pending = this.#profiles.get(folder);
    if (pending === undefined) {
      const listeners = new Set<Progress>();
      pending = { profile: this.#readOrMake(identified, listeners), listeners };
      this.#profiles.set(folder, pending);
      pending.profile.catch((thrown: unknown) => {
        // What kills a process each time is not tried for every question of the database.
        if (!(thrown instanceof GradusError && thrown.code === "PROFILE_FAILED"))
          this.#profiles.delete(folder);
      });
    }
    if (progress !== undefined) pending.listeners.add(progress);
    return pending.profile;
  }

  async #readOrMake(identified: Identified, listeners: Set<Progress>): Promise<CachedProfile> {
    const cached = await readCachedProfile(identified.folder);
    if (cached !== null) return cached;
    const made = await makeProfileFolder(path.dirname(identified.folder));
    try {
      const profile = await this.#make(identified, made.indexFile, listeners);
      return await publishProfile(made.folder, profile, identified.folder);
    } finally {
      listeners.clear();
      await remove(made.folder);
    }
  }

  async #make(
    { database, options, file, digest }: Identified,
    indexFile: string,
    listeners: ReadonlySet<Progress>,
  ): Promise<DatabaseProfile> {
    const found = await digestFile(file);
    if (found.sha256 !== digest) throw failed(database, "its file is not the one that was loaded");
    let profile: DatabaseProfile | undefined;
    const outcome = await this.#pool.attempt(
      { kind: "profile", database, options, file, indexFile },
      (part) => {
        if (part.kind === "profiled") ({ profile } = part);
        if (part.kind === "profiling") for (const listener of listeners) listener(part.done, part.total);
      },
      scanLimitMs(found.bytes),
    );
    if (profile !== undefined) return profile;
    if (outcome.status === "killed" && (outcome.cause === "cpu" || outcome.cause === "crash")) {
      throw failed(database, `reading it killed the worker process twice (${outcome.message})`);
    }
    throw failure(outcome);
  }
}

function emptyProfile({ databaseId, digest }: Database): DatabaseProfile {
  const index = { names: 0, values: 0, leftOut: [] };
  return { databaseId, databaseDigest: digest, tables: [], inferredForeignKeys: [], index };
}

function failed({ databaseId }: Database, why: string): GradusError {
  return new GradusError("PROFILE_FAILED", `cannot profile the database ${databaseId}: ${why}`, {
    hint: "run gradus doctor on the dataset; when files have changed, run the same command again",
  });
}
