import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../core/model.ts";
import { boundedChoice, openingDigest, rendezvousOrder } from "../../../io/models/rendezvous.ts";

function message(role: ChatMessage["role"], content: string): ChatMessage {
  return { role, content, reasoning: null, toolCalls: [], toolCallId: null };
}

const opening = [message("system", "You answer with SQL."), message("user", "How many singers?")];

describe("openingDigest", () => {
  it("is one for all turns of an episode, whatever is replied", () => {
    const first = openingDigest({ messages: opening });
    const turns = [message("assistant", "<sql>SELECT 1</sql>"), message("user", "1 row")];
    expect(openingDigest({ messages: [...opening, ...turns] })).toBe(first);
    expect(openingDigest({ messages: [...opening, message("assistant", "another")] })).toBe(first);
  });

  it("differs by text, role and where a message ends", () => {
    const digests = [
      opening,
      [message("system", "You answer with SQL."), message("user", "How many bands?")],
      [message("user", "You answer with SQL."), message("user", "How many singers?")],
      [message("system", "You answer with SQL.How"), message("user", " many singers?")],
    ].map((messages) => openingDigest({ messages }));
    expect(new Set(digests).size).toBe(4);
  });
});

describe("rendezvousOrder", () => {
  const names = ["http://a/v1", "http://b/v1", "http://c/v1"];
  const keys = Array.from({ length: 3_000 }, (_, index) => `key ${index}`);
  const first = (key: string, of: readonly string[]): string => of[rendezvousOrder(key, of)[0] ?? -1] ?? "";

  it("is the same whatever the order of the names", () => {
    const reversed = names.toReversed();
    for (const key of keys.slice(0, 50)) {
      expect(rendezvousOrder(key, reversed).map((place) => reversed[place])).toEqual(
        rendezvousOrder(key, names).map((place) => names[place]),
      );
    }
  });

  it("spreads keys evenly, and moves only those of a name that goes", () => {
    const counts = names.map((name) => keys.filter((key) => first(key, names) === name).length);
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    const rest = names.slice(0, 2);
    const moved = keys.filter((key) => first(key, rest) !== first(key, names));
    expect(moved.every((key) => first(key, names) === "http://c/v1")).toBe(true);
    expect(moved).toHaveLength(counts[2] ?? -1);
  });
});

describe("boundedChoice", () => {
  it.each([
    ["the first while it has a place", [0, 0], [8, 8], 0],
    ["the first though it has all there is to do, if that is little", [7, 0], [64, 64], 0],
    ["the first though it has a little more to do", [13, 7], [64, 64], 0],
    ["another when the first has 1.25 times the mean", [14, 6], [64, 64], 1],
    ["another that has a place when the first has none", [4, 4], [4, 8], 1],
    ["the first when both must wait and it waits little", [9, 9], [8, 8], 0],
    ["another when the first has more waiting than its share", [12, 6], [8, 8], 1],
    ["by places where both must wait", [9, 5], [16, 4], 0],
  ])("takes %s", (_what, loads, limits, expected) => {
    const servers = loads.map((load, place) => ({ place, load, limit: limits[place] ?? 0 }));
    expect(boundedChoice(servers)?.place).toBe(expected);
  });

  it("takes what there is", () => {
    const only = { load: 100, limit: 1 };
    expect(boundedChoice([only])).toBe(only);
    expect(boundedChoice([])).toBeUndefined();
  });
});
