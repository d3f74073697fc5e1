import { expect, it } from "vitest";
import { Guardrails } from "../../core/guardrail.ts";

it("checks everything, tells the agent, and cuts nothing unless it is told to", () => {
  expect(Guardrails.parse({})).toEqual({
    mode: "test",
    checks: [
      "empty_thought",
      "long_thought",
      "no_action",
      "several_actions",
      "malformed_call",
      "unknown_tool",
      "wrong_arguments",
      "repeated_call",
      "trailing_text",
      "untested_answer",
      "malformed_answer",
      "forged_result",
      "wrong_transition",
    ],
    maxTrailingShare: 0.5,
    masksEarlier: true,
  });
  expect(Guardrails.safeParse({ checks: ["rudeness"] }).success).toBe(false);
  expect(Guardrails.safeParse({ mode: "strict" }).success).toBe(false);
});
