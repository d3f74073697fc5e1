import { afterAll, afterEach, expect, it } from "vitest";
import { envRoutes } from "../../../pipelines/serve/env-routes.ts";
import { EXAMPLES, GOLD, closeServed, servedParts } from "./served-fixture.ts";
import { callRoute } from "./service-calls.ts";

afterAll(closeServed);

const [FIRST] = EXAMPLES.map(({ id }) => id);
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function routes() {
  const parts = await servedParts();
  closing.push(() => parts.episodes.close());
  return envRoutes(parts);
}

it("plays an episode: prompt, observation, end with reward and masks", async () => {
  const served = await routes();
  const opened = await callRoute(served, "/start", { example_id: FIRST, record: true });
  expect(opened).toMatchObject({
    turn: 0,
    done: false,
    reply: null,
    mask: [0, 0],
    reply_mask: [],
    parts: null,
  });
  expect(opened["ask"]).toMatchObject({ stop: ["</sql>", "</solution>"], temperature: 1, max_tokens: 2048 });
  const { episode } = opened;
  const acted = await callRoute(served, "/step", { episode, text: `<reasoning>a</reasoning><sql>${GOLD}` });
  // The server kept the stop string to itself: the reply comes back with its tag closed.
  expect(acted["reply"]).toEqual({
    role: "assistant",
    content: `<reasoning>a</reasoning><sql>${GOLD}</sql>`,
  });
  expect(acted).toMatchObject({ turn: 1, messages: null, mask: [0, 0, 1, 0], reward: null });
  const text = `<reasoning>b</reasoning><solution>${GOLD}</solution>`;
  const done = await callRoute(served, "/step", { episode, text, usage: { completion_tokens: 9 } });
  expect(done).toMatchObject({
    done: true,
    ask: null,
    reason: "answered",
    answer: GOLD,
    reward: 1,
    terms: { answer: { value: 1, weight: 1 } },
    mask: [0, 0, 1, 0, 1],
    reply_mask: [1, 1],
  });
  expect(done["trajectories"]).toHaveLength(1);
});

it("takes a step that is sent twice once", async () => {
  const served = await routes();
  const { episode } = await callRoute(served, "/start", { example_id: FIRST });
  const step = { episode, text: "no tag", turn: 0 };
  const told = await callRoute(served, "/step", step);
  expect(await callRoute(served, "/step", step)).toEqual(told);
  await expect(callRoute(served, "/step", { ...step, turn: 5 })).rejects.toMatchObject({
    code: "EPISODE_TURN_WRONG",
  });
  expect(await callRoute(served, "/step", { ...step, turn: 1 })).toMatchObject({ turn: 2 });
});

it("cuts an episode off in training mode and masks what came before", async () => {
  const served = await routes();
  const choice = { example_id: FIRST, scaffold: "retool-sql", mode: "training" };
  const { episode } = await callRoute(served, "/start", choice);
  const call = `<scratch_pad>a</scratch_pad><tool_call>{"name": "sqlite_query", "arguments": {"sql": "${GOLD}"}}</tool_call>`;
  const acted = await callRoute(served, "/step", { episode, text: call });
  expect(acted).toMatchObject({ done: false, reply_mask: [1] });
  const cut = await callRoute(served, "/step", { episode, text: "<scratch_pad>b</scratch_pad> nothing" });
  expect(cut).toMatchObject({
    done: true,
    reason: "guardrail",
    detail: "no_action",
    reward: 0,
    reply_mask: [0, 1],
  });
});

it("knows no episode that was given up, and no example of another name", async () => {
  const served = await routes();
  const { episode } = await callRoute(served, "/start", { source_id: "2" });
  await callRoute(served, "/end", { episode });
  await expect(callRoute(served, "/step", { episode, text: "" })).rejects.toMatchObject({
    code: "EPISODE_UNKNOWN",
  });
  await expect(callRoute(served, "/start", { example_id: "x" })).rejects.toMatchObject({
    code: "EXAMPLE_UNKNOWN",
  });
  await expect(callRoute(served, "/start", {})).rejects.toThrow("give example_id");
});
