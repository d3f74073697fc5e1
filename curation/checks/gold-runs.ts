import { defineCheck } from "../../core/check.ts";

const MISSING = /no such (table|column)(?::\s*(\S+))?/i;

export default defineCheck({
  id: "gold-runs",
  version: 1,
  title: "the gold does not run, or names what the database does not have",
  kinds: {
    error: {
      severity: "error",
      confidence: 0.99,
      meaning: "the engine refuses the gold",
      taxonomy: { wretblad: "3", kang: "E1", audit: "gold_not_executable" },
    },
    missing_name: {
      severity: "error",
      confidence: 0.97,
      meaning: "the gold names a table or column that this release of the database does not have",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Table", audit: "db_release_mismatch" },
    },
    not_a_query: {
      severity: "error",
      confidence: 0.95,
      meaning: "the gold is no reading statement",
      taxonomy: { wretblad: "3", audit: "gold_not_executable" },
    },
  },
  find: ({ execution: { execution } }) => {
    const { status, message } = execution;
    if (status === "denied") {
      return [{ kind: "not_a_query", message: `its gold is refused: ${message}`, evidence: { message } }];
    }
    if (status !== "error") return [];
    const missing = MISSING.exec(message);
    if (missing === null) {
      return [{ kind: "error", message: `its gold does not run: ${message}`, evidence: { message } }];
    }
    const [, what = "", name = ""] = missing;
    const evidence = { message, what: what.toLowerCase(), name };
    return [{ kind: "missing_name", message: `its gold does not run: ${message}`, evidence }];
  },
});
