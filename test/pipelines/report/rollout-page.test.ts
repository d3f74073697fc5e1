import { expect, it } from "vitest";
import { rolloutsHtml } from "../../../pipelines/report/rollout-page.ts";
import { HOSTILE, HOSTILE_ROLLOUT, messageOf, trajectoryOf } from "./sample-document.ts";

it("shows prompt, thought, call, result and reminder, all escaped", () => {
  const html = rolloutsHtml([HOSTILE_ROLLOUT]);
  expect(html).not.toMatch(/<script|\u202E|alert\("/);
  for (const part of [
    'class="given"',
    'class="thought"',
    "calls &lt;script",
    "result of &lt;script",
    'class="injected"',
  ])
    expect(html).toContain(part);
  expect(html).toContain('<span data-at="/rollouts/0/verdicts/bird-ex" data-value="0">0</span>');
  expect(html).toContain("<dd>not run</dd>");
});

it("sorts by kind, and keeps the place of each in the document", () => {
  const right = { ...HOSTILE_ROLLOUT, kind: "right" as const };
  const html = rolloutsHtml([HOSTILE_ROLLOUT, right]);
  expect(html.indexOf("<h3>Right")).toBeLessThan(html.indexOf("<h3>Wrong"));
  expect(html.indexOf("/rollouts/1/")).toBeLessThan(html.indexOf("/rollouts/0/"));
});

it("bounds what it shows of a long rollout, and says so", () => {
  const messages = Array.from({ length: 50 }, () => messageOf("tool", "environment", "&".repeat(30_000)));
  const html = rolloutsHtml([{ ...HOSTILE_ROLLOUT, trajectory: trajectoryOf("a", "b", messages) }]);
  expect(html.length).toBeLessThan(500_000);
  expect(html).toContain("… of 30000 characters; gradus explain shows them all");
});

it("shows a call with several arguments by their names, and one that is no JSON as it is", () => {
  const reply = messageOf("assistant", "sampled", "");
  const call = { id: "c", name: "find", argumentsRaw: "{broken", arguments: null };
  const calls = [call, { ...call, arguments: { table: "t", limit: 3 } }];
  const messages = [{ ...reply, content: "", toolCalls: calls }];
  const html = rolloutsHtml([{ ...HOSTILE_ROLLOUT, trajectory: trajectoryOf("a", "b", messages) }]);
  expect(html).toContain(">{broken</pre>");
  expect(html).toContain(">table: t\nlimit: 3</pre>");
  expect(HOSTILE).toContain("<script>");
});
