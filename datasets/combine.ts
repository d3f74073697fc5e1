import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { defineStage, type PortRow, type Ports, type Rows, type Stage } from "../core/stage.ts";

const outputs = { examples: Example, databases: Database };

/**
 * The stage that puts `count` datasets one after another: inputs `examples0`, `databases0`, … Spider, SParC
 * and CoSQL share databases: one that comes twice with the same digest, or once without a file, is one
 * database.
 * @throws DATABASE_ID_CONFLICT for two different files under one id.
 */
export function combineStage(count: number): Stage<Ports, typeof outputs> {
  const indices = Array.from({ length: count }, (_, index) => index);
  const inputs: Record<string, z.ZodType> = {};
  for (const index of indices) {
    inputs[`examples${index}`] = Example;
    inputs[`databases${index}`] = Database;
  }
  return defineStage({
    name: "combine",
    version: 1,
    inputs,
    outputs,
    options: z.strictObject({}),
    run: async function* (run): AsyncGenerator<PortRow<typeof outputs>> {
      const chosen = new Map<string, Database>();
      for (const index of indices) {
        for await (const row of (run.inputs[`databases${index}`] as Rows<Database>)()) {
          const known = chosen.get(row.databaseId);
          if (known === undefined || known.status === "missing") chosen.set(row.databaseId, row);
          else if (row.status !== "missing") {
            if (known.digest !== row.digest) throw conflict(row.databaseId, known.digest, row.digest);
            if (known.suiteDigest !== row.suiteDigest) throw suiteConflict(row.databaseId);
          }
        }
      }
      for (const row of chosen.values()) yield { port: "databases", row };
      for (const index of indices) {
        for await (const row of (run.inputs[`examples${index}`] as Rows<Example>)())
          yield { port: "examples", row };
      }
    },
  });
}

function suiteConflict(databaseId: string): GradusError {
  return new GradusError(
    "DATABASE_ID_CONFLICT",
    `two datasets bring different test suites of "${databaseId}": the files beside it differ, expected the same ones`,
    { hint: "give both datasets the same files, or make one run for each" },
  );
}

function conflict(databaseId: string, first: string, second: string): GradusError {
  return new GradusError(
    "DATABASE_ID_CONFLICT",
    `two datasets bring different databases called "${databaseId}": got sha256 ${first.slice(0, 12)} and ${second.slice(0, 12)}, expected one file`,
    { hint: "make one run for each of these datasets and give the trainer both sets of shards" },
  );
}
