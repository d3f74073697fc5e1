import { expect, it } from "vitest";
import {
  actionsDigest,
  actionsOf,
  foldSpace,
  interactionsOf,
  queriesOf,
  sampledLength,
} from "../../core/trajectory-actions.ts";
import { message } from "../curation/sample-rows.ts";

const call = (sql: string) => ({ id: "1", name: "run", argumentsRaw: "", arguments: { sql, limit: 3 } });
const rollout = (sql: string, thought: string) => ({
  messages: [
    message("user", "prompt"),
    { ...message("assistant", thought), toolCalls: [call(sql)] },
    { ...message("user", "rows"), origin: "environment" as const },
    message("assistant", "done"),
  ],
  finalSql: "SELECT 1 ;",
});

it("actions are calls and the answer, whatever was thought and however it was spaced", () => {
  const one = rollout("SELECT  a", "first");
  expect(actionsOf(one)).toEqual([
    { name: "run", text: "3 SELECT a" },
    { name: "answer", text: "SELECT 1" },
  ]);
  expect(actionsDigest(one)).toBe(actionsDigest(rollout("SELECT a", "another thought")));
  expect(actionsDigest(one)).not.toBe(actionsDigest(rollout("SELECT b", "first")));
  expect(interactionsOf(one)).toBe(1);
  expect(sampledLength(one)).toBe("first".length + "done".length);
});

it("queries are arguments that hold one", () => {
  expect(queriesOf({ toolCalls: [call("SELECT 1;"), { ...call(""), arguments: null }] })).toEqual([
    "SELECT 1",
  ]);
  expect(foldSpace(" a\n b ; ")).toBe("a b");
});
