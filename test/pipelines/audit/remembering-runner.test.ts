import { expect, it } from "vitest";
import type { QueryRequest } from "../../../core/sql-runner.ts";
import { RememberingRunner } from "../../../pipelines/audit/remembering-runner.ts";
import { FakeSqlRunner, tableReply } from "../../fakes/sql-runner.ts";
import { harbourSubject } from "../../curation/check-subject.ts";

const { database } = harbourSubject({ question: "", gold: "SELECT 1" });
const LIMITS = { cpuMs: 1, maxRows: 1, maxBytes: 1 };

function request(sql: string, changes: Partial<QueryRequest> = {}): QueryRequest {
  return { database, sql, mode: "query", limits: LIMITS, maxShownRows: 5, maxCellCharacters: 5, ...changes };
}

it("runs a statement once on a database, also while it runs", async () => {
  const fake = new FakeSqlRunner({ "SELECT 1": tableReply(["1"], [[1]]) });
  const runner = new RememberingRunner(fake);
  const [left, right] = await Promise.all([
    runner.query(request("SELECT 1")),
    runner.query(request("SELECT 1")),
  ]);
  expect(left).toBe(right);
  expect((await runner.query(request("SELECT 1"))).rows).toEqual([[1]]);
  expect(fake.requests).toHaveLength(1);
});

it("runs it again for other rows, in reverse, and on another database", async () => {
  const fake = new FakeSqlRunner();
  const runner = new RememberingRunner(fake);
  await runner.query(request("SELECT 1"));
  await runner.query(request("SELECT 1", { maxShownRows: 6 }));
  await runner.query(request("SELECT 1", { readsInReverse: true }));
  await runner.query(request("SELECT 1", { database: { ...database, digest: "1".repeat(64) } }));
  expect(fake.requests).toHaveLength(4);
});

it("forgets a failure", async () => {
  const fake = new FakeSqlRunner();
  const runner = new RememberingRunner(fake);
  fake.failure = new Error("no worker");
  await expect(runner.query(request("SELECT 1"))).rejects.toThrow("no worker");
  fake.failure = null;
  expect((await runner.query(request("SELECT 1"))).execution.status).toBe("error");
});
