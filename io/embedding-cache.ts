import path from "node:path";
import Sqlite from "better-sqlite3";
import { sha256 } from "../core/key.ts";
import { fileError, makeFolder } from "./files.ts";

/** Vectors by what was embedded and by what; kept between runs. */
export interface EmbeddingCache {
  get(text: string): Float32Array | undefined;
  /** Keeps the vectors of some texts; they are on disk when it returns. */
  put(entries: readonly { readonly text: string; readonly vector: Float32Array }[]): void;
  close(): void;
}

/**
 * Opens the vectors of one model in a file, or in memory for `null`. `model` names what makes vectors: name,
 * revision, dimensions. Texts are known by their digests. @throws FILE_FAILED, DISK_FULL, FILE_FORBIDDEN.
 */
export async function openEmbeddingCache(file: string | null, model: string): Promise<EmbeddingCache> {
  if (file !== null) await makeFolder(path.dirname(file));
  const connection = open(file ?? ":memory:");
  const read = connection.prepare("SELECT vector FROM embeddings WHERE key = ?").pluck();
  const write = connection.prepare("INSERT OR REPLACE INTO embeddings (key, vector) VALUES (?, ?)");
  const keyOf = (text: string): Buffer => Buffer.from(sha256(JSON.stringify([model, text])), "hex");
  return {
    get: (text) => {
      const found = read.get(keyOf(text)) as Buffer | undefined;
      if (found === undefined) return undefined;
      return new Float32Array(Uint8Array.from(found).buffer);
    },
    put: (entries) => {
      try {
        connection.transaction(() => {
          for (const { text, vector } of entries) {
            write.run(keyOf(text), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
          }
        })();
      } catch (thrown) {
        throw fileError("write", file ?? "the cache of embeddings", thrown);
      }
    },
    close: () => {
      connection.close();
    },
  };
}

function open(file: string): Sqlite.Database {
  try {
    const connection = new Sqlite(file, { timeout: 10_000 });
    connection.pragma("synchronous = NORMAL");
    connection.exec(
      "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID",
    );
    return connection;
  } catch (thrown) {
    throw fileError("open", file, thrown);
  }
}
