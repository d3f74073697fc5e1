import { afterAll, expect, it } from "vitest";
import type { ModelReply } from "../../../core/model.ts";
import { EnvEpisode } from "../../../pipelines/serve/env-episode.ts";
import { EXAMPLES, GOLD, closeServed, servedParts } from "./served-fixture.ts";

afterAll(closeServed);

function reply(content: string): ModelReply {
  return {
    content,
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    rawExact: false,
    tokenIds: null,
    servedModel: "client",
  };
}

async function start(
  choice: { readonly scaffold?: string; readonly options?: Record<string, unknown> } = {},
) {
  const { run, rollouts, episodes } = await servedParts();
  episodes.close();
  const rollout = await rollouts.take(choice);
  const [example] = EXAMPLES as [(typeof EXAMPLES)[number]];
  return EnvEpisode.start({ run, example, rollout, history: [], sampleIndex: 0 });
}

it("is held between replies by the driver that samples", async () => {
  const { episode, state } = await start();
  expect(state).toMatchObject({ turn: 0, part: 0, seen: 0, ended: null });
  expect(state.shown.map(({ role }) => role)).toEqual(["system", "user"]);
  const acted = await episode.step(reply(`<reasoning>look</reasoning><sql>${GOLD}</sql>`));
  expect(acted.seen).toBe(2);
  expect(acted.shown[3]?.content).toContain("Tern");
  const done = await episode.step(reply(`<reasoning>so</reasoning><solution>${GOLD}</solution>`));
  expect(done.request).toBeNull();
  expect(done.ended?.map(({ trajectory, rewards }) => [trajectory.stopReason, rewards[0]?.total])).toEqual([
    ["answered", 1],
  ]);
  await expect(episode.step(reply("more"))).rejects.toMatchObject({ code: "EPISODE_ENDED" });
});

it("takes one reply at a time", async () => {
  const { episode } = await start();
  const first = episode.step(reply("no tags"));
  await expect(episode.step(reply("again"))).rejects.toMatchObject({ code: "EPISODE_BUSY" });
  expect((await first).turn).toBe(1);
});

it("has a conversation of its own for a linker", async () => {
  const { episode, state } = await start({ scaffold: "dualsql-generator" });
  expect(state.part).toBe(0);
  const linked = await episode.step(reply('<think>boats</think>\n```json\n{"boat": ["name"]}\n```'));
  expect([linked.part, linked.seen]).toEqual([1, 0]);
  expect(linked.shown.map(({ content }) => content).join("\n")).not.toContain("CREATE TABLE crossing");
});

it("ends when it is given up", async () => {
  const { episode } = await start();
  episode.abandon();
  await expect(episode.step(reply("hm"))).rejects.toThrow(/EPISODE|episode/);
});
