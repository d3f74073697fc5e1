import type { ColumnProfile, DatabaseProfile } from "../../core/database-profile.ts";
import type { DatabaseProfiler, SearchReply, SearchRequest } from "../../core/database-profiler.ts";

/** A column without anything known but its name, and what is given. */
export function columnProfile(name: string, parts: Partial<ColumnProfile> = {}): ColumnProfile {
  return {
    name,
    stored: { null: 0, integer: 0, real: 0, text: 0, blob: 0 },
    distinct: 0,
    minimum: null,
    maximum: null,
    samples: [],
    description: "",
    ...parts,
  };
}

/** The profile of the database of boats and crossings: 3 boats, one without a year, and 9 crossings. */
export const FERRIES_PROFILE: DatabaseProfile = {
  databaseId: "ferries",
  databaseDigest: "f".repeat(64),
  tables: [
    {
      name: "boat",
      rows: 3,
      description: "Boats of the company.",
      columns: [
        columnProfile("boat_id", {
          stored: { null: 0, integer: 3, real: 0, text: 0, blob: 0 },
          distinct: 3,
          minimum: 1,
          maximum: 3,
          samples: ["1", "2", "3"],
        }),
        columnProfile("name", {
          stored: { null: 0, integer: 0, real: 0, text: 3, blob: 0 },
          distinct: 2,
          minimum: "Gull",
          maximum: "Tern",
          samples: ["Tern", "Gull"],
          description: "The name on the bow.",
        }),
        columnProfile("seats", {
          stored: { null: 0, integer: 2, real: 0, text: 1, blob: 0 },
          distinct: 3,
          minimum: 12,
          maximum: "many",
          samples: ["12", "40", "many"],
        }),
        columnProfile("built", {
          stored: { null: 1, integer: 2, real: 0, text: 0, blob: 0 },
          distinct: 1,
          minimum: 1990,
          maximum: 1990,
          samples: ["1990"],
        }),
      ],
    },
    {
      name: "crossing",
      rows: 9,
      description: "",
      columns: [
        columnProfile("crossing_id", {
          stored: { null: 0, integer: 9, real: 0, text: 0, blob: 0 },
          distinct: 9,
          minimum: 1,
          maximum: 9,
          samples: ["1", "2"],
        }),
        columnProfile("boat_id", {
          stored: { null: 0, integer: 9, real: 0, text: 0, blob: 0 },
          distinct: 2,
          minimum: 1,
          maximum: 2,
          samples: ["1", "2"],
        }),
        columnProfile("island", {
          stored: { null: 0, integer: 0, real: 0, text: 9, blob: 0 },
          distinct: 2,
          minimum: "Mull",
          maximum: "Skye",
          samples: ["Skye", "Mull"],
        }),
        columnProfile("passengers", { stored: { null: 9, integer: 0, real: 0, text: 0, blob: 0 } }),
      ],
    },
  ],
  inferredForeignKeys: [],
  index: { names: 10, values: 4, leftOut: [] },
};

/**
 * Hand-made replies by search text, or by matcher and text (`words:tern`); any other search finds nothing. Gives every database one profile and keeps
 * the requests; narrows and limits nothing.
 */
export class FakeProfiler implements DatabaseProfiler {
  readonly requests: SearchRequest[] = [];
  readonly #replies: Readonly<Record<string, SearchReply>>;
  readonly #profile: DatabaseProfile;

  constructor(
    replies: Readonly<Record<string, SearchReply>> = {},
    profile: DatabaseProfile = FERRIES_PROFILE,
  ) {
    this.#replies = replies;
    this.#profile = profile;
  }

  async profile(): Promise<DatabaseProfile> {
    return this.#profile;
  }

  async search(request: SearchRequest): Promise<SearchReply> {
    this.requests.push(request);
    const keys = [`${request.matcher}:${request.text}`, request.text];
    const key = keys.find((candidate) => Object.hasOwn(this.#replies, candidate));
    const reply = key === undefined ? undefined : this.#replies[key];
    return reply ?? { names: [], values: [] };
  }
}
