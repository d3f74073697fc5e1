import { describe, expect, it } from "vitest";
import stringEm from "../../../curation/metrics/string-em.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

describe("string-em", () => {
  it.each([
    ["SELECT a FROM t", "SELECT a FROM t", 1],
    ["SELECT a FROM t", "\n  SELECT a FROM t\t", 1],
    ["SELECT a FROM t", "SELECT a  FROM t", 0],
    ["SELECT a FROM t", "select a from t", 0],
    ["SELECT a FROM t", "SELECT a FROM t;", 0],
    ["", " ", 1],
  ])("%s | %s", (gold, predicted, score) => {
    const failed = unnamed([], "error");
    expect(stringEm.judge(pairOf(failed, failed, { gold, predicted }))).toEqual({ status: "scored", score });
  });
});
