import { expect, it } from "vitest";
import { textFeatures } from "../../embeddings/text-features.ts";

it("a query is its words with clause and neighbour, any other line its words", () => {
  expect(textFeatures("SELECT T1.a FROM t AS T1")).toEqual([
    "select",
    "select>select",
    "^ select",
    "a",
    "select>a",
    "select a",
    "from",
    "from>from",
    "a from",
    "t",
    "from>t",
    "from t",
  ]);
  expect(textFeatures("call exec_sql")).toEqual(["call", "^ call", "exec_sql", "call exec_sql"]);
  expect(textFeatures("")).toEqual([]);
});
