import { z } from "zod";
import { defineScaffold } from "../../core/scaffold.ts";
import { parseAnswer, splitThought } from "../answer-text.ts";
import { sampledMessage } from "../episode-messages.ts";
import { openingExample } from "../prompts/opening-example.ts";
import { singleTurnPrompt } from "../prompts/single-turn.ts";

const Options = z.strictObject({
  /** Whether earlier turns of a dialogue come with their SQL. */
  history: z.enum(["questions", "gold"]).default("questions"),
});

/** One prompt, one reply: a thought, then the query in a fenced block ({@link parseAnswer}). */
export default defineScaffold({
  id: "single-turn",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "none",
  nativeTools: () => false,
  tools: () => [],
  stops: () => [],
  maxTurns: () => 1,
  open: (opening, { history }) =>
    singleTurnPrompt(openingExample(opening, history), opening.schemaText, history),
  read(reply) {
    const parted =
      reply.reasoning === null
        ? splitThought(reply.content)
        : { reasoning: reply.reasoning, rest: reply.content };
    return sampledMessage(reply, {
      reasoning: parted.reasoning,
      content: parted.rest.trim(),
      toolCalls: [],
      restored: "",
    });
  },
  react(message) {
    const { sql } = parseAnswer(message.rawText);
    return sql === null ? { kind: "stop", reason: "no_answer" } : { kind: "answer", sql };
  },
  observe: () => [],
});
