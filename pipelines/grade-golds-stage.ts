import { pMapIterable } from "p-map";
import { z } from "zod";
import { Database, isReadable } from "../core/database.ts";
import { Example } from "../core/example.ts";
import { defineStage } from "../core/stage.ts";
import { GoldGrader } from "./grade-golds.ts";

/** A question whose gold, or what was asked for, its data leave open. */
export const UndeterminedRow = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  /** How answers are fairly compared with it: `set`, `multiset`, `ordered`, `subset`. */
  mode: z.string(),
  findings: z.array(z.strictObject({ kind: z.string(), message: z.string() })),
});
export type UndeterminedRow = z.infer<typeof UndeterminedRow>;

/** Finds the golds that their data leave open, as `gradus doctor --grade` does: one row for each, in their order. */
export const gradeGoldsStage = defineStage({
  name: "grade-golds",
  version: 1,
  inputs: { examples: Example, databases: Database },
  outputs: { undetermined: UndeterminedRow },
  options: z.strictObject({
    limits: z.strictObject({
      cpuMs: z.int().positive(),
      maxRows: z.int().positive(),
      maxBytes: z.int().positive(),
    }),
  }),
  runtime: z.strictObject({ concurrency: z.int().positive().default(8) }),
  async *run({ inputs, options, runtime, context }) {
    const databases = new Map<string, Database>();
    for await (const database of inputs.databases()) databases.set(database.databaseId, database);
    const grader = new GoldGrader(context.sql, options.limits);
    const grade = async (example: Example): Promise<UndeterminedRow | null> => {
      const database = databases.get(example.databaseId);
      const [sql] = example.gold;
      if (sql === undefined || database === undefined || !isReadable(database)) return null;
      const grading = await grader.grade(database, sql);
      if (grading === null || grading.findings.length === 0) return null;
      const { id: exampleId, sourceId, databaseId } = example;
      const findings = grading.findings.map(({ kind, message }) => ({ kind, message }));
      return { exampleId, sourceId, databaseId, mode: grading.mode, findings };
    };
    let done = 0;
    for await (const row of pMapIterable(inputs.examples(), grade, runtime)) {
      done += 1;
      context.progress(done);
      if (row !== null) yield { port: "undetermined", row } as const;
    }
  },
});
