import { describe, expect, it } from "vitest";
import schemaLinking from "../../../curation/metrics/schema-linking.ts";
import { FERRY_SCHEMA } from "../../sql/ferry-schema.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

function judge(gold: string, predicted: string) {
  const failed = unnamed([], "error");
  return schemaLinking.judge({ ...pairOf(failed, failed, { gold, predicted }), schema: FERRY_SCHEMA });
}

describe("schema-linking", () => {
  it.each([
    ["SELECT name FROM ferry", "SELECT f.Name AS n FROM Ferry f WHERE f.name > 'A'", 1],
    ["SELECT count(*) FROM ferry", "SELECT 1 FROM ferry", 1],
    // ferry, ferry.name | ferry, ferry.built
    ["SELECT name FROM ferry", "SELECT built FROM ferry", 0.5],
    // crossing, fare, day | crossing, fare
    ["SELECT fare FROM crossing WHERE day = 1", "SELECT fare FROM crossing", 0.8],
    ["SELECT name FROM ferry", "SELECT fare FROM crossing", 0],
    ["SELECT name FROM ferry", "SELECT name FROM nowhere", 0],
    ["SELECT name FROM ferry", "", 0],
    ["SELECT 1", "SELECT 2", 1],
  ])("%s | %s", (gold, predicted, score) => {
    expect(judge(gold, predicted)).toMatchObject({ status: "scored", score });
  });

  it("tells precision, recall and whether nothing is missing", () => {
    const [gold, wide] = ["SELECT name FROM ferry", "SELECT name, built FROM ferry"];
    const details = (one: string, other: string) => (judge(one, other) as { details?: unknown }).details;
    expect(details(gold, wide)).toEqual({ precision: 2 / 3, recall: 1, complete: 1 });
    expect(details(wide, gold)).toEqual({ precision: 1, recall: 2 / 3, complete: 0 });
    expect(details(gold, "SELECT name FROM nowhere")).toEqual({ precision: 0, recall: 0, complete: 0 });
  });

  it("gives no score where the schema does not take gold", () => {
    expect(judge("SELECT absent FROM ferry", "SELECT name FROM ferry")).toEqual({
      status: "unscored",
      reason: "gold_error",
      message: "no such column: absent",
    });
  });
});
