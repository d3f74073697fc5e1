import { describe, expect, it } from "vitest";
import sql from "../../../synth/scaffolds/dualsql-sql.ts";
import { modelReply } from "../../fakes/model.ts";
import { reactionTo } from "../episode-rows.ts";

const ANSWER = "<think>\nboat\n</think>\n\nDone.\n\n```sql\nSELECT 1\n```";

describe("dualsql-sql", () => {
  it("is the generator alone, on the whole schema", () => {
    const options = sql.options.parse({});
    expect(sql.maxTurns(options)).toBe(10);
    expect("prelude" in sql).toBe(false);
    expect(sql).toMatchObject({ pastThoughts: "kept", readsGold: false });
    expect(sql.tools(sql.options.parse({ tools: ["execute-sql-json"] })).map(({ id }) => id)).toEqual([
      "execute-sql-json",
    ]);
    expect(sql.options.safeParse({ tools: ["execute-sql-dataframe"] }).success).toBe(false);
  });

  it("answers with a query that it has run, or any where it may", () => {
    expect(reactionTo(sql, modelReply(ANSWER))).toMatchObject({ kind: "remind" });
    expect(reactionTo(sql, modelReply(ANSWER), { mustTest: "nothing" })).toEqual({
      kind: "answer",
      sql: "SELECT 1",
    });
    expect(reactionTo(sql, modelReply(ANSWER), { guardrails: { mode: "training" } })).toMatchObject({
      kind: "stop",
      detail: "untested_answer",
    });
  });
});
