import { expect, it } from "vitest";
import {
  answeredCallsOf,
  breaksProtocol,
  repliesOf,
  trajectoryTokens,
} from "../../curation/trajectory-signs.ts";
import { call, observed, reply, told, trajectory } from "./reward-rows.ts";

const CALL = call("execute_sql", { sql: "SELECT 1" });

it("tokens are the server's for replies, one for four characters of the rest, the prompt apart", () => {
  const messages = [reply("12345678"), observed("123456789"), reply("1")];
  expect(trajectoryTokens(trajectory(messages))).toBe(2 + 3 + 1);
  const usage = { promptTokens: 900, completionTokens: 50, costMicroUsd: null };
  expect(trajectoryTokens(trajectory(messages, { usage }))).toBe(53);
});

it("calls count that a tool answered", () => {
  const refused = [reply("a", { toolCalls: [CALL] }), told("no"), reply("b", { toolCalls: [CALL] })];
  expect(answeredCallsOf(trajectory(refused))).toEqual([]);
  expect(answeredCallsOf(trajectory([...refused, observed("[]")]))).toEqual([CALL]);
});

it("a protocol is broken by a guardrail, or by a call that cannot be read", () => {
  expect(breaksProtocol(trajectory([reply("a", { toolCalls: [CALL] })]))).toBe(false);
  expect(breaksProtocol(trajectory([reply("a"), told("no")]))).toBe(true);
  expect(breaksProtocol(trajectory([reply("a")], { stopReason: "guardrail" }))).toBe(true);
  expect(breaksProtocol(trajectory([reply("a", { toolCalls: [{ ...CALL, arguments: null }] })]))).toBe(true);
});

it("replies are what the model sampled", () => {
  expect(repliesOf(trajectory([reply("a"), observed("b")])).map(({ rawText }) => rawText)).toEqual(["a"]);
});
