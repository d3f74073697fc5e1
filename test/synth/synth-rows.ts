import type { Database, TableSchema } from "../../core/database.ts";
import type { Example } from "../../core/example.ts";
import type { PredictionFormat, PredictionRow } from "../../core/prediction-format.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";

/** The plugs that come with gradus. */
export const plugs = createPlugFinder();

export function example(sourceId: string, parts: Partial<Example> = {}): Example {
  return {
    id: sourceId.replace(":", "").padStart(32, "e"),
    dataset: { name: "ferries", release: "1", split: "dev" },
    sourceId,
    databaseId: "ferries",
    question: `Question ${sourceId}?`,
    evidence: null,
    history: [],
    dialogue: null,
    gold: ["SELECT name FROM boat"],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
    ...parts,
  };
}

/** A table of columns written as `name TYPE`; the first is the primary key. */
export function table(name: string, ...columns: readonly string[]): TableSchema {
  return {
    name,
    comment: "",
    columns: columns.map((column, index) => {
      const [columnName = "", type = ""] = column.split(" ");
      return { name: columnName, type, comment: "", primaryKey: index === 0 ? 1 : 0 };
    }),
  };
}

/** Boats and the crossings that they make. */
export const FERRIES: Database = {
  databaseId: "ferries",
  status: "ok",
  message: "",
  digest: "f".repeat(64),
  bytes: 8192,
  schema: {
    databaseId: "ferries",
    tables: [
      table("boat", "boat_id INTEGER", "name TEXT", "seats INTEGER", "built INTEGER"),
      table("crossing", "crossing_id INTEGER", "boat_id INTEGER", "island TEXT", "passengers INTEGER"),
    ],
    foreignKeys: [
      { table: "crossing", column: "boat_id", referencedTable: "boat", referencedColumn: "boat_id" },
    ],
  },
  describedForeignKeys: null,
  rowCounts: [3, 9],
  values: [{ table: "boat", column: "name", values: ["Tern", "Gull"] }],
};

/** All rows of a file in one format. */
export async function readAll(format: PredictionFormat, file: string): Promise<PredictionRow[]> {
  const rows: PredictionRow[] = [];
  for await (const row of format.read(file)) rows.push(row);
  return rows;
}
