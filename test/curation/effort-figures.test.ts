import { expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import { SampleEffort } from "../../curation/effort-figures.ts";
import { message, trajectory } from "./sample-rows.ts";

function reply(...tools: readonly string[]): Message {
  const toolCalls = tools.map((name, index) => ({ id: `${index}`, name, argumentsRaw: "{}", arguments: {} }));
  return { ...message("assistant", "reply"), toolCalls };
}

const USAGE = { promptTokens: 100, completionTokens: 10, costMicroUsd: 5 };

it("adds up turns, calls and tokens by group, a linker's episode with its sample", () => {
  const effort = new SampleEffort();
  const question = message("user", "question");
  const plain = trajectory("a", 0, "SELECT 1", { messages: [question, reply("run"), reply()], usage: USAGE });
  const linking = trajectory("b", 0, null, { messages: [reply("find", "find"), reply("run")], usage: USAGE });
  const linked = trajectory("b", 0, "SELECT 1", { messages: [reply("")], usage: USAGE });
  effort.add(["all", "hardness:easy"], plain, undefined);
  effort.add(["all"], linked, linking);
  expect(effort.figures()).toEqual([
    {
      group: "all",
      samples: 2,
      turns: 2.5,
      toolCalls: 2.5,
      promptTokens: 150,
      completionTokens: 15,
      costMicroUsd: 7.5,
    },
    {
      group: "hardness:easy",
      samples: 1,
      turns: 2,
      toolCalls: 1,
      promptTokens: 100,
      completionTokens: 10,
      costMicroUsd: 5,
    },
  ]);
  expect(effort.toolFigures()).toEqual([
    { stage: "answer", tool: "(unnamed)", calls: 1, samples: 1, share: 0.5 },
    { stage: "answer", tool: "run", calls: 1, samples: 1, share: 0.5 },
    { stage: "linking", tool: "find", calls: 2, samples: 1, share: 0.5 },
    { stage: "linking", tool: "run", calls: 1, samples: 1, share: 0.5 },
  ]);
  expect(effort.turns()).toEqual({ 2: 1, 3: 1 });
  expect(effort.stopReasons()).toEqual({ answered: 2 });
});

it("has no tokens where a sample does not say", () => {
  const effort = new SampleEffort();
  effort.add(["all"], trajectory("a", 0, "SELECT 1"), undefined);
  expect(effort.figures()[0]).toMatchObject({ promptTokens: null, costMicroUsd: null, turns: 1 });
});
