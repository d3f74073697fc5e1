import { expect, it } from "vitest";
import type { QueryRequest, SqlRunner } from "../../core/sql-runner.ts";
import { gradeGoldsStage } from "../../pipelines/grade-golds-stage.ts";
import { database, example, idOf } from "../curation/sample-rows.ts";
import { executed } from "../fakes/judge.ts";
import { runStage } from "../fakes/run-stage.ts";

/** Rows that come the other way round when tables are read in reverse. */
const sql: SqlRunner = {
  query: ({ readsInReverse }: QueryRequest) => {
    const rows = [[1], [2], [3]];
    if (readsInReverse === true) rows.reverse();
    const orderedDigest = JSON.stringify(rows);
    const execution = { ...executed("ok"), rows: 3, orderedDigest };
    return Promise.resolve({ execution, columnNames: ["a"], rows });
  },
};

it("has a row for each gold that its data leave open, and none for one that cannot run", async () => {
  const inputs = {
    examples: [
      example("a", { gold: ["SELECT a FROM t"] }),
      example("b", { gold: ["SELECT a FROM t LIMIT 1"] }),
      example("c", { gold: ["SELECT a FROM t LIMIT 1"], databaseId: "absent" }),
      example("d", { gold: ["SELECT random() FROM t"] }),
    ],
    databases: [database("ferries")],
  };
  const options = { limits: { cpuMs: 1000, maxRows: 10, maxBytes: 1000 } };
  const { undetermined } = await runStage(gradeGoldsStage, inputs, options, { sql });
  expect(undetermined.map(({ exampleId }) => exampleId)).toEqual([idOf("b"), idOf("d")]);
  expect(undetermined[0]?.findings.map(({ kind }) => kind)).toContain("limit_without_order");
  expect(undetermined[1]?.findings.map(({ kind }) => kind)).toContain("random");
});
