import { expect, it } from "vitest";
import { z } from "zod";
import { runStatement, STATEMENT_LIMITS } from "../../synth/run-statement.ts";
import { failedReply, FakeSqlRunner, tableReply } from "../fakes/sql-runner.ts";
import { toolContext } from "../fakes/tool-context.ts";
import { FERRIES } from "./synth-rows.ts";

const LIMITS = { cpuMs: 50, maxResultRows: 7, maxResultBytes: 8, maxRows: 2, maxCellCharacters: 3 };

it("runs a statement as it is, exploring, within its limits", async () => {
  const reply = tableReply(["n"], [[1]]);
  const runner = new FakeSqlRunner({ "PRAGMA x;": reply });
  const context = toolContext(FERRIES, runner);
  expect(await runStatement(context, { ...LIMITS, sql: "PRAGMA x;" })).toEqual({ reply, failure: null });
  expect(runner.requests).toEqual([
    {
      database: FERRIES,
      sql: "PRAGMA x;",
      mode: "explore",
      limits: { cpuMs: 50, maxRows: 7, maxBytes: 8 },
      maxShownRows: 2,
      maxCellCharacters: 3,
    },
  ]);
});

it("says why a statement gave nothing, and that an empty result is no failure", async () => {
  const replies = { a: failedReply("timeout", ""), b: tableReply(["n"], []) };
  const context = toolContext(FERRIES, new FakeSqlRunner(replies));
  const { failure } = await runStatement(context, { ...LIMITS, sql: "a" });
  expect(failure).toBe("Timeout: the statement was stopped after 0.05 s of CPU time.");
  expect((await runStatement(context, { ...LIMITS, sql: "b" })).failure).toBeNull();
});

it("passes on what the machinery throws", async () => {
  const runner = new FakeSqlRunner();
  runner.failure = new Error("no worker");
  await expect(runStatement(toolContext(FERRIES, runner), { ...LIMITS, sql: "a" })).rejects.toThrow(
    "no worker",
  );
});

it("allows a statement 30 seconds of CPU unless told otherwise", () => {
  expect(z.strictObject(STATEMENT_LIMITS).parse({})).toEqual({
    cpuMs: 30_000,
    maxResultRows: 1_000_000,
    maxResultBytes: 268_435_456,
  });
});
