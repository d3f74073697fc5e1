import { describe, expect, it } from "vitest";
import { causeOf } from "../../pipelines/doctor-golds.ts";

describe("causeOf", () => {
  it.each([
    ["no such table: Loaf", "no such table"],
    ["no such column: T1.id", "no such column"],
    ['near "AS": syntax error', "syntax"],
    ['unrecognized token: "@"', "syntax"],
    ["misuse of aggregate: count()", "misuse of an aggregate"],
    ["ORDER BY clause should come after EXCEPT not before", "ORDER BY or LIMIT before a set operation"],
    ['A reading statement (SELECT) is accepted, got one that begins "SELEC 1".', "not a query"],
    ["disk I/O error", "other error"],
  ])("groups %j as %s", (message, cause) => {
    expect(causeOf("error", message)).toBe(cause);
  });

  it("takes the status for what is no error", () => {
    expect(causeOf("timeout", "over 100 ms of CPU")).toBe("timeout");
  });
});
