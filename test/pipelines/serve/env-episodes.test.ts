import { expect, it } from "vitest";
import type { EnvEpisode } from "../../../pipelines/serve/env-episode.ts";
import { EnvEpisodes } from "../../../pipelines/serve/env-episodes.ts";

function fake(hasEnded = false) {
  const episode = { hasEnded, abandoned: 0, abandon: () => void (episode.abandoned += 1) };
  return episode;
}

function add(episodes: EnvEpisodes, episode: ReturnType<typeof fake>) {
  return episodes.add(() => Promise.resolve(episode as unknown as EnvEpisode), false);
}

it("keeps episodes by an id of their own, until they are given up", async () => {
  const episodes = new EnvEpisodes({ idleMs: 60_000, maxEpisodes: 4 });
  const episode = fake();
  const { id } = await add(episodes, episode);
  expect(episodes.get(id).episode).toBe(episode);
  expect(episodes.open).toBe(1);
  episodes.end(id);
  expect(episode.abandoned).toBe(1);
  expect(() => episodes.get(id)).toThrow("there is no episode");
  episodes.close();
});

it("gives up what nobody goes on with", async () => {
  const episodes = new EnvEpisodes({ idleMs: 20, maxEpisodes: 4 });
  const [idle, ended] = [fake(), fake(true)];
  await add(episodes, idle);
  await add(episodes, ended);
  while (episodes.expired === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(idle.abandoned).toBe(1);
  episodes.sweep();
  expect([episodes.open, episodes.expired]).toEqual([0, 1]);
  episodes.close();
});

it("forgets ended ones where there is no room, and takes no more than may be open", async () => {
  const episodes = new EnvEpisodes({ idleMs: 60_000, maxEpisodes: 2 });
  await add(episodes, fake());
  const { id } = await add(episodes, fake(true));
  await add(episodes, fake());
  expect(() => episodes.get(id)).toThrow();
  await expect(add(episodes, fake())).rejects.toMatchObject({ code: "SERVICE_FULL" });
  episodes.close();
  expect(episodes.open).toBe(0);
});

it("keeps no place for an episode that could not be opened", async () => {
  const episodes = new EnvEpisodes({ idleMs: 60_000, maxEpisodes: 1 });
  await expect(episodes.add(() => Promise.reject(new Error("no")), false)).rejects.toThrow("no");
  await add(episodes, fake());
  episodes.close();
});
