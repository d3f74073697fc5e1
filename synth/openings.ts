import type { ColumnValues, Database } from "../core/database.ts";
import type { DatabaseProfile } from "../core/database-profile.ts";
import type { DatabaseProfiler, ProfileOptions } from "../core/database-profiler.ts";
import { GradusError } from "../core/errors.ts";
import type { Example } from "../core/example.ts";
import { RecentMap } from "../core/recent-map.ts";
import type { Opening } from "../core/scaffold.ts";
import type { SchemaDialect } from "../core/schema-dialect.ts";
import type { ShownTurn } from "../core/tool.ts";
import type { LinkedTable } from "../core/trajectory.ts";
import { reduceSchema } from "./reduce-schema.ts";
import { retrieveValues } from "./retrieve-values.ts";

/** Questions whose retrieved values are remembered. */
const QUESTIONS_AT_HAND = 1_024;

/** How schema texts are written. */
export interface OpeningOptions {
  readonly dialect: SchemaDialect;
  /** Whether values that the question seems to ask for are looked up and shown. */
  readonly retrievesValues: boolean;
  readonly profileOptions: ProfileOptions;
}

/** What an episode is opened with. */
export interface OpeningRequest {
  readonly example: Example;
  readonly history: readonly ShownTurn[];
  /** What a linker found; `null` for the whole schema. */
  readonly links: readonly LinkedTable[] | null;
  /** Whether a tool of the episode reads the profile. */
  readonly needsProfile: boolean;
}

/** An opening with the profile that its text or its tools show; `null` where neither does. */
export interface PreparedOpening {
  readonly opening: Opening;
  readonly profile: DatabaseProfile | null;
}

/**
 * Prepares the openings of episodes: schema texts are rendered once a database where they do not depend on
 * the question, and a database is profiled once, when something first needs it.
 */
export class Openings {
  readonly #options: OpeningOptions;
  readonly #profiler: DatabaseProfiler;
  readonly #databases = new Map<string, Database>();
  readonly #texts = new Map<string, string>();
  readonly #profiles = new Map<string, Promise<DatabaseProfile>>();
  readonly #retrieved = new RecentMap<string, Promise<readonly ColumnValues[]>>(QUESTIONS_AT_HAND);

  constructor(options: OpeningOptions, profiler: DatabaseProfiler) {
    this.#options = options;
    this.#profiler = profiler;
  }

  addDatabase(database: Database): void {
    this.#databases.set(database.databaseId, database);
  }

  /** The database of an example, if the dataset has it. */
  database(databaseId: string): Database | undefined {
    return this.#databases.get(databaseId);
  }

  /** @throws DATABASE_UNKNOWN for an example without a database, and what the profiler throws. */
  async prepare({ example, history, links, needsProfile }: OpeningRequest): Promise<PreparedOpening> {
    const database = this.#databases.get(example.databaseId);
    if (database === undefined) throw unknownDatabase(example);
    const { dialect, retrievesValues } = this.#options;
    const shownProfile = dialect.needsProfile === true ? await this.#profileOf(database) : null;
    const retrieved = retrievesValues ? await this.#retrieve(example, database) : [];
    const schemaText = this.#textOf(database, { links, profile: shownProfile, retrieved });
    const profile = needsProfile ? await this.#profileOf(database) : shownProfile;
    return { opening: { example, database, schemaText, history, links }, profile };
  }

  #textOf(
    database: Database,
    shown: {
      readonly links: readonly LinkedTable[] | null;
      readonly profile: DatabaseProfile | null;
      readonly retrieved: readonly ColumnValues[];
    },
  ): string {
    const { links, profile, retrieved } = shown;
    const { dialect } = this.#options;
    if (links !== null) return dialect.render(reduceSchema(database, links), { profile, retrieved });
    if (retrieved.length > 0) return dialect.render(database, { profile, retrieved });
    let text = this.#texts.get(database.databaseId);
    if (text === undefined) {
      text = dialect.render(database, { profile, retrieved });
      this.#texts.set(database.databaseId, text);
    }
    return text;
  }

  /** Values are looked up once for the samples of a question that are taken together. */
  #retrieve(example: Example, database: Database): Promise<readonly ColumnValues[]> {
    let values = this.#retrieved.get(example.id);
    if (values === undefined) {
      values = this.#lookUp(example, database);
      this.#retrieved.set(example.id, values);
    }
    return values;
  }

  async #lookUp(example: Example, database: Database): Promise<readonly ColumnValues[]> {
    await this.#profileOf(database);
    const { question, evidence } = example;
    return retrieveValues(
      { question, evidence, database },
      { profiler: this.#profiler, profileOptions: this.#options.profileOptions },
    );
  }

  #profileOf(database: Database): Promise<DatabaseProfile> {
    let profile = this.#profiles.get(database.databaseId);
    if (profile === undefined) {
      profile = this.#profiler.profile(database, this.#options.profileOptions);
      this.#profiles.set(database.databaseId, profile);
    }
    return profile;
  }
}

function unknownDatabase(example: Example): GradusError {
  return new GradusError(
    "DATABASE_UNKNOWN",
    `cannot open an episode on ${example.sourceId}: no row describes its database ${example.databaseId}`,
    { site: { rowId: example.id }, hint: "profile every database of the dataset first" },
  );
}
