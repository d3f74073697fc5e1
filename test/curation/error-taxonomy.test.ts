import { describe, expect, it } from "vitest";
import { errorReport } from "../../curation/error-taxonomy.ts";
import { executed } from "../fakes/judge.ts";
import { FERRY_SCHEMA } from "../sql/ferry-schema.ts";

function report(goldSql: string, predictedSql: string | null, predicted = executed("ok")) {
  return errorReport({ goldSql, predictedSql, schema: FERRY_SCHEMA, gold: executed("ok"), predicted });
}

const GOLD = "SELECT name FROM ferry WHERE built > 1990";

describe("errorReport", () => {
  it("ends with no answer, and with a query that did not run", () => {
    expect(report(GOLD, null)).toEqual({ main: "no_answer", classes: ["no_answer"], signs: [] });
    expect(report(GOLD, "  ")).toMatchObject({ main: "no_answer" });
    expect(report(GOLD, "SELECT nme FROM ferry", executed("error", "no such column: nme"))).toEqual({
      main: "execution",
      classes: ["execution"],
      signs: ["execution_error", "no_such_column"],
    });
    expect(report(GOLD, "DROP TABLE ferry", executed("denied", "a write"))).toMatchObject({
      signs: ["execution_denied"],
    });
  });

  it.each([
    ["another table", "SELECT name FROM captain WHERE born > 1990", "schema_linking"],
    ["a column in place of another", "SELECT id FROM ferry WHERE built > 1990", "schema_linking"],
    ["another value", "SELECT name FROM ferry WHERE built > 1999", "constraint_coherence"],
    ["a condition that is missing", "SELECT name FROM ferry", "constraint_coherence"],
    ["another output", "SELECT name, id FROM ferry WHERE built > 1990", "output_shape"],
    ["DISTINCT", "SELECT DISTINCT name FROM ferry WHERE built > 1990", "output_shape"],
    ["an aggregate", "SELECT max(name) FROM ferry WHERE built > 1990", "aggregation_drift"],
    ["an order", `${GOLD} ORDER BY built LIMIT 1`, "order_and_limit"],
    ["a set operation", `${GOLD} UNION SELECT name FROM ferry`, "set_operation"],
    ["nothing that is told", GOLD, "unexplained"],
  ])("tells %s", (_what, predicted, main) => {
    expect(report(GOLD, predicted).main).toBe(main);
  });

  it("tells join paths", () => {
    const gold = "SELECT f.name FROM ferry f JOIN crossing c ON f.id = c.ferry_id";
    const other = "SELECT f.name FROM ferry f JOIN crossing c ON f.id = c.day";
    expect(report(gold, other)).toMatchObject({ main: "join_path" });
    expect(report(gold, other).signs).toContain("join_columns_changed");
    const wider = `${gold} JOIN captain k ON k.ferry_id = f.id`;
    expect(report(gold, wider).signs).toEqual(expect.arrayContaining(["table_extra", "joins_changed"]));
  });

  it("lists every class that fits, the main one first, and what the results say", () => {
    const gold = "SELECT count(*) FROM ferry WHERE built > 1990";
    const found = report(gold, "SELECT sum(built) FROM ferry WHERE built < 1990", executed("empty"));
    expect(found.classes).toEqual(["aggregation_drift", "constraint_coherence", "output_shape"]);
    expect(found.signs).toContain("empty_result");
  });
});
