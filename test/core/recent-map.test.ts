import { expect, it } from "vitest";
import { RecentMap } from "../../core/recent-map.ts";

it("forgets what was used longest ago when there are too many", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});

it("goes by weight, and by the last weight of a key", () => {
  const map = new RecentMap<string, string>(10);
  map.set("a", "first", 6);
  map.set("a", "second", 3);
  map.set("b", "third", 7);
  expect([map.get("a"), map.get("b")]).toEqual(["second", "third"]);
  map.set("c", "fourth", 4);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, undefined, "fourth"]);
  map.set("d", "fifth", 6);
  expect([map.get("c"), map.get("d")]).toEqual(["fourth", "fifth"]);
});

it("keeps nothing that is heavier than all it may hold", () => {
  const map = new RecentMap<string, string>(5);
  map.set("a", "heavy", 6);
  expect(map.get("a")).toBeUndefined();
  map.set("b", "light", 5);
  expect(map.get("b")).toBe("light");
});

it("has room again for what was deleted", () => {
  const map = new RecentMap<string, string>(5);
  map.set("a", "first", 3);
  map.delete("a");
  map.delete("none");
  map.set("b", "second", 3);
  map.set("c", "third", 2);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, "second", "third"]);
});
