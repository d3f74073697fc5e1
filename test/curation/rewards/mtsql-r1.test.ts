import { expect, it } from "vitest";
import { plugs } from "../../synth/synth-rows.ts";
import { call, judged, observed, reply, rewardInput, told, totalOf, trajectory } from "../reward-rows.ts";

const reward = await plugs.find("reward", "mtsql-r1");

/** Proposes a query that fails, corrects it, looks into the memory, and finalizes. */
const EPISODE = trajectory([
  reply("propose", { steps: ["PROPOSE", "EXECUTE"], toolCalls: [call("exec_sql", { code: "SELECT a" })] }),
  observed("no such column"),
  reply("refused", { steps: ["E-VERIFY:pass"], toolCalls: [call("exec_sql", { code: "SELECT z" })] }),
  told("not now"),
  reply("correct", {
    steps: ["E-VERIFY:fail", "SELF-CORRECT", "EXECUTE"],
    toolCalls: [call("exec_sql", { code: "SELECT b" })],
  }),
  observed("one row"),
  reply("consult", { steps: ["E-VERIFY:pass"], toolCalls: [call("memory_retrieve", { code: "SELECT b" })] }),
  observed("earlier turns"),
  reply("done", { steps: ["M-VERIFY:pass", "FINALIZE"] }),
]);
const STATEMENTS = new Map([
  ["SELECT a", judged("error", 0.5)],
  ["SELECT b", judged("ok", 1)],
]);
const OUTCOME = { "spider-ex": 1, "spider-em": 0 };

function result(options: unknown = {}, statements = STATEMENTS, episode = EPISODE) {
  return reward.score(rewardInput(episode, OUTCOME, { statements }), reward.options.parse(options));
}

it("asks for the statements that were run, not for those of refused replies", () => {
  expect(reward.statements?.(EPISODE)).toEqual(["SELECT a", "SELECT b"]);
});

it("averages the actions of a type", () => {
  expect(result()).toMatchObject({
    terms: {
      ex: { value: 1, weight: 1 },
      em: { value: 0, weight: 1 },
      propose: { value: 0.75, weight: 0.2 },
      execution_check: { value: 1, weight: 0.2 },
      memory_check: { value: 1, weight: 0.2 },
    },
  });
  expect(totalOf(result())).toBeCloseTo(1 + 0.2 * 2.75, 12);
});

it("adds them up as the paper does where it is told to", () => {
  expect(totalOf(result({ process: "sum" }))).toBeCloseTo(1 + 0.2 * (1.5 + 2 + 1), 12);
});

it.each([
  ["ok", 1],
  ["empty", 0],
  ["error", 0],
  ["timeout", 0],
] as const)("a check that passes a result of %s is worth %d", (status, value) => {
  const statements = new Map([...STATEMENTS, ["SELECT b", judged(status, 1)] as const]);
  // The first check says fail of an error, which is worth 1.
  expect(result({}, statements)).toMatchObject({ terms: { execution_check: { value: (1 + value) / 2 } } });
});

it("a check that fails an empty result is worth 0.1, one that fails rows nothing", () => {
  const empty = new Map([...STATEMENTS, ["SELECT a", judged("empty", 0.5)] as const]);
  expect(result({}, empty)).toMatchObject({ terms: { execution_check: { value: 0.55 } } });
  const rows = new Map([...STATEMENTS, ["SELECT a", judged("ok", 0.5)] as const]);
  expect(result({}, rows)).toMatchObject({ terms: { execution_check: { value: 0.5 } } });
});

it("a memory check that fails is worth what the query lacks", () => {
  const messages = EPISODE.messages.map((message) =>
    message.rawText === "done" ? { ...message, steps: ["M-VERIFY:fail", "FINALIZE"] } : message,
  );
  const statements = new Map([...STATEMENTS, ["SELECT b", judged("ok", 0.25)] as const]);
  const failed = result({}, statements, { ...EPISODE, messages });
  expect(failed).toMatchObject({ terms: { memory_check: { value: 0.75 } } });
});

it("leaves terms out by their weights", () => {
  expect(totalOf(result({ terms: { propose: 0, execution_check: 0, memory_check: 0 } }))).toBe(1);
});
