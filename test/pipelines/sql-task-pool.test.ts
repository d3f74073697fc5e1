import { expect, it } from "vitest";
import { closed, failure } from "../../pipelines/sql-task-pool.ts";

it.each([
  [{ status: "done" } as const, "SQL_WORKER_FAILED"],
  [{ status: "failed", code: "DISK_FULL", message: "no space" } as const, "DISK_FULL"],
  [{ status: "killed", cause: "closed", mark: null, message: "" } as const, "SQL_JUDGE_CLOSED"],
  [{ status: "killed", cause: "stuck", mark: null, message: "" } as const, "SQL_WORKER_STUCK"],
  [{ status: "killed", cause: "crash", mark: null, message: "it died" } as const, "SQL_WORKER_FAILED"],
])("%j is thrown as %s", (outcome, code) => {
  expect(failure(outcome).code).toBe(code);
});

it("a closed pool says so", () => {
  expect(closed().code).toBe("SQL_JUDGE_CLOSED");
});
