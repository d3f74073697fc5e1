import { afterAll, expect, it } from "vitest";
import { answeredTrajectory, replayedTrajectory } from "../../../pipelines/serve/given-trajectory.ts";
import { Trajectory } from "../../../core/trajectory.ts";
import { EXAMPLES, GOLD, closeServed, servedParts } from "./served-fixture.ts";

afterAll(closeServed);

const [FIRST] = EXAMPLES as [(typeof EXAMPLES)[number]];

it("an answer alone is a trajectory of one reply", () => {
  const answered = answeredTrajectory(FIRST, "text", GOLD);
  expect(Trajectory.parse(answered)).toMatchObject({ finalSql: GOLD, stopReason: "answered" });
  expect(answeredTrajectory(FIRST, "text", null)).toMatchObject({ finalSql: null, stopReason: "no_answer" });
});

it("replies are played again, tools included; where they do not reach, the last one is cut", async () => {
  const { run, rollouts, episodes } = await servedParts();
  episodes.close();
  const replies = [
    `<reasoning>a</reasoning><sql>${GOLD}</sql>`,
    `<reasoning>b</reasoning><solution>${GOLD}</solution>`,
  ];
  const play = (given: readonly string[]) =>
    replayedTrajectory(run, rollouts, FIRST, { replies: given, choice: {}, previousAnswers: undefined });
  const whole = await play([...replies, "left alone"]);
  expect(whole).toMatchObject({ stopReason: "answered", finalSql: GOLD, scaffold: { id: "sql-trail" } });
  expect(whole.messages[3]?.rawText).toContain("Tern");
  expect(await play(replies.slice(0, 1))).toMatchObject({ stopReason: "length", finalSql: null });
});
