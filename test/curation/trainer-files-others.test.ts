import { expect, it } from "vitest";
import { trlPython } from "../../curation/trainer-files-others.ts";
import { REQUEST } from "./trainer-request.ts";

it("tools become methods: what is required comes first, and no text ends a docstring", () => {
  const text = trlPython(REQUEST.tools, "dualsql-sql");
  expect(text).toContain("def execute_sql(self, sql: str, limit: int = None) -> str:");
  expect(text).toContain("Runs '''one''' query.");
  expect(text).toContain("            sql: SQL text.\n            limit: Rows.\n");
  expect(text).toContain('SCAFFOLD = "dualsql-sql"');
  expect(trlPython([], null)).not.toContain("def execute_sql");
});
