import { afterAll, expect, it } from "vitest";
import { rewardRoutes } from "../../../pipelines/serve/reward-routes.ts";
import { EXAMPLES, GOLD, closeServed, servedParts } from "./served-fixture.ts";
import { callRoute } from "./service-calls.ts";

afterAll(closeServed);

const { run, rollouts, episodes } = await servedParts();
episodes.close();
const routes = rewardRoutes({ run, rollouts });
const [FIRST = "", SECOND = ""] = EXAMPLES.map(({ id }) => id);
const RIGHT = `<solution>${GOLD}</solution>`;

it.each([
  [{ sql: GOLD }, 1],
  [{ sql: "SELECT 1" }, 0],
  [{ sql: null }, 0],
  [{ sql: "  " }, 0],
  [{ text: RIGHT }, 1],
  [{ text: "nothing" }, 0],
  [{ replies: [`<reasoning>a</reasoning>${RIGHT}`] }, 1],
])("an answer as %j has the reward %d", async (form, reward) => {
  expect(await callRoute(routes, "/reward", { example_id: FIRST, ...form })).toMatchObject({
    example_id: FIRST,
    reward,
    terms: { answer: { value: reward, weight: 1 } },
    reason: "ok",
  });
});

it("a stored trajectory is scored as it is, where it is one of the example", async () => {
  const { answeredTrajectory } = await import("../../../pipelines/serve/given-trajectory.ts");
  const trajectory = answeredTrajectory(EXAMPLES[0] as (typeof EXAMPLES)[number], "", GOLD);
  expect(await callRoute(routes, "/reward", { example_id: FIRST, trajectory })).toMatchObject({ reward: 1 });
  const other = callRoute(routes, "/reward", { example_id: SECOND, trajectory });
  await expect(other).rejects.toMatchObject({ code: "REQUEST_INVALID" });
  const half = callRoute(routes, "/reward", { example_id: FIRST, trajectory: { id: "x" } });
  await expect(half).rejects.toMatchObject({ code: "REQUEST_INVALID" });
});

it.each([[{}], [{ sql: GOLD, text: RIGHT }]])("takes just one form: %j", async (form) => {
  await expect(callRoute(routes, "/reward", { example_id: FIRST, ...form })).rejects.toThrow("give just one");
});

it("items of a batch keep their order, and one that fails fails alone", async () => {
  const items = [
    { example_id: FIRST, sql: GOLD },
    { example_id: "x", sql: GOLD },
    7,
    { example_id: SECOND, sql: "SELECT 1" },
  ];
  const scored = (await callRoute(routes, "/rewards", { items }))["items"] as readonly Record<
    string,
    unknown
  >[];
  expect(scored.map((item) => item["reward"] ?? (item["error"] as { readonly code: string }).code)).toEqual([
    1,
    "EXAMPLE_UNKNOWN",
    "REQUEST_INVALID",
    0,
  ]);
});

it.each([
  ["beside the response", { example_id: FIRST }, {}],
  ["among the verifier's", { verifier_metadata: { example_id: FIRST } }, {}],
  ["in the metadata of the call", {}, { metadata: { source_id: "1" } }],
])("NeMo-Gym's /verify gives the body back with a reward: example %s", async (_where, parts, params) => {
  const output = [
    { type: "function_call", name: "sqlite_query", arguments: "{}" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: RIGHT }] },
  ];
  const body = { responses_create_params: { input: [], ...params }, response: { output }, ...parts };
  expect(await callRoute(routes, "/verify", body)).toEqual({
    ...body,
    reward: 1,
    scored: 1,
    reward_terms: { answer: 1 },
  });
  expect(await callRoute(routes, "/seed_session", {})).toEqual({});
});

it("NeMo-Gym's /verify needs an example", async () => {
  const body = { responses_create_params: {}, response: { output: [] } };
  await expect(callRoute(routes, "/verify", body)).rejects.toThrow("give example_id");
});

it("OpenRLHF's form: labels are ids, or JSON that has one; the prompt is no answer", async () => {
  const body = {
    query: [`Say <solution>SELECT 1</solution>: ${RIGHT}`, "Say <solution>SELECT 1</solution>: no"],
    prompts: ["Say <solution>SELECT 1</solution>: ", "Say <solution>SELECT 1</solution>: "],
    labels: [FIRST, JSON.stringify({ example_id: SECOND })],
  };
  expect(await callRoute(routes, "/openrlhf", body)).toEqual({
    rewards: [1, 0],
    scores: [1, 0],
    extra_logs: { scored: [1, 1], answer: [1, 0] },
  });
  await expect(callRoute(routes, "/openrlhf", { query: ["a"], labels: [] })).rejects.toThrow(
    "1 queries and 0 labels",
  );
});
