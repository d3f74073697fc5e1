import { expect, it } from "vitest";
import { z } from "zod";
import { defineScaffold } from "../../core/scaffold.ts";

it("defineScaffold says what kind of plug it is and keeps the rest", () => {
  const scaffold = defineScaffold({
    id: "echo",
    version: 3,
    options: z.strictObject({}),
    readsGold: false,
    pastThoughts: "none",
    nativeTools: () => false,
    tools: () => [],
    stops: () => ["</end>"],
    maxTurns: () => 2,
    open: () => [],
    read: () => {
      throw new Error("not asked");
    },
    react: () => ({ kind: "stop", reason: "no_answer" }),
    observe: () => [],
  });
  expect([scaffold.kind, scaffold.id, scaffold.version]).toEqual(["scaffold", "echo", 3]);
  expect([scaffold.stops({}), scaffold.maxTurns({})]).toEqual([["</end>"], 2]);
});
