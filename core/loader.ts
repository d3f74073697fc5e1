import type { DatabaseSchema } from "./database.ts";
import type { Example } from "./example.ts";
import type { Reject } from "./reject.ts";

/** A dataset on disk, as a person named it. */
export interface DatasetSource {
  /** The folder in the official layout. */
  readonly root: string;
  readonly split: string;
  /** The release a person named; `null` lets the loader recognise it. */
  readonly release: string | null;
}

/** A file that a loader reads; `name` is its path below the root, with `/`. */
export interface SourceFile {
  readonly name: string;
  readonly path: string;
  readonly role: "questions" | "tables" | "descriptions" | "gold";
  /** A missing file that is not required is only reported. */
  readonly required: boolean;
}

/** One row of a questions file: an example, or why it is none. */
export type LoadedRow =
  | { readonly kind: "example"; readonly example: Example }
  | { readonly kind: "reject"; readonly reject: Reject };

/** A schema from a tables file, and what in it or in its description files did not match. */
export interface LoadedSchema {
  readonly schema: DatabaseSchema;
  /** For a person: a description file without a table, a column that is not there, a decoding fallback. */
  readonly notes: readonly string[];
}

/**
 * Reads one dataset from its official file layout. Rows stream in file order; identical inputs give
 * identical rows. `load` throws DATASET_FILE_MISSING, DATASET_FILE_MALFORMED for a file that cannot be
 * read at all; a bad row is a reject.
 */
export interface DatasetLoader {
  readonly kind: "loader";
  readonly id: string;
  readonly version: number;
  /** The splits it knows, the usual one first. */
  readonly splits: readonly string[];
  /** Licence of the data, as an SPDX identifier, for the cards of shards made from it. */
  readonly license: string;
  /** The files of a split, whether or not they are there. */
  files(source: DatasetSource): Promise<readonly SourceFile[]>;
  load(source: DatasetSource): AsyncIterable<LoadedRow>;
  /** Every database that the tables file describes. */
  schemas(source: DatasetSource): Promise<readonly LoadedSchema[]>;
  /** Folders that hold `X/X.sqlite`, the first that has it wins. */
  databaseFolders(source: DatasetSource): readonly string[];
}

/** Types a loader plug; the file's stem is its id. */
export function defineLoader(loader: Omit<DatasetLoader, "kind">): DatasetLoader {
  return { kind: "loader", ...loader };
}
