import { z } from "zod";
import { defineScaffold } from "../../core/scaffold.ts";
import type { ToolCall } from "../../core/trajectory.ts";
import { environmentMessage, sampledMessage } from "../episode-messages.ts";
import { sqlTrailPrompt, turnsLeftText } from "../prompts/sql-trail.ts";
import { escapeProtocolTags } from "../protocol-tags.ts";
import { guardSqlTrail, remindSqlTrail, SqlTrailGuardrails } from "../sql-trail-guard.ts";
import { scanTags, splitLeadingThought, type TagAction } from "../tag-parser.ts";

const TOOL = "execute-sql-dataframe";
const CALL_ID = "call_0";

const Options = z.strictObject({
  /** Whether earlier turns of a dialogue come with their SQL. */
  history: z.enum(["questions", "gold"]).default("questions"),
  maxTurns: z.int().positive().default(10),
  /** Rows of an observation. */
  maxRows: z.int().positive().default(50),
  maxCellCharacters: z.int().positive().default(200),
  /** CPU time of one statement, milliseconds. */
  cpuMs: z.int().positive().default(30_000),
  /** Left out, a reply without an action is answered by a reminder, and nothing else is checked. */
  guardrails: SqlTrailGuardrails.optional(),
});

/**
 * One agent with one SQL tool, all in text: thoughts in `<reasoning>`, a statement in `<sql>` or the answer
 * in `<solution>`, results as `<observation>` in a user message with the replies that are left. How replies
 * are read: {@link splitLeadingThought}, {@link scanTags}. A reply without an action is answered by a
 * reminder and costs a turn. Where the server ends a reply at a stop string and keeps the string to itself,
 * the closing tag is restored. Guardrails where they are asked for: {@link guardSqlTrail}. Raw texts are never cut: later turns see all that was sampled.
 * The reminder, guardrails, the cut of cells and the count of rows are not in the paper. @paper SQL-Trail
 */
export default defineScaffold({
  id: "sql-trail",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "kept",
  nativeTools: () => false,
  tools: ({ maxRows, maxCellCharacters, cpuMs }) => [
    { id: TOOL, options: { maxRows, maxCellCharacters, cpuMs } },
  ],
  stops: () => ["</sql>", "</solution>"],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => sqlTrailPrompt(opening, options),
  read(reply) {
    const { thought, rest } =
      reply.reasoning === null
        ? splitLeadingThought(reply.content)
        : { thought: reply.reasoning.trim(), rest: reply.content };
    const { openTag } = scanTags(rest);
    const restored = openTag !== null && reply.finishReason === "stop" ? `</${openTag}>` : "";
    const content = `${rest}${restored}`.trim();
    const { thoughts, action } = scanTags(content);
    const allThoughts = [thought ?? "", ...thoughts].filter((part) => part !== "");
    return sampledMessage(reply, {
      reasoning: allThoughts.length === 0 ? null : allThoughts.join("\n\n"),
      content,
      toolCalls: action?.tag === "sql" ? [callOf(action)] : [],
      restored,
    });
  },
  react(message, state, { guardrails }) {
    const guarded = guardrails === undefined ? null : guardSqlTrail(message, state, guardrails);
    if (guarded !== null) return guarded;
    const { action, problem } = scanTags(message.content);
    if (action === null) return remindSqlTrail(problem, state.turnsLeft);
    if (action.tag === "solution") return { kind: "answer", sql: action.sql };
    const call = { callId: CALL_ID, toolId: TOOL, arguments: { sql: action.sql }, problem: null };
    return { kind: "act", actions: [call] };
  },
  observe: (results, { turnsLeft }) =>
    results.map(({ result }) => {
      const lines = [escapeProtocolTags(result.text), turnsLeftText(turnsLeft)];
      return environmentMessage(`<observation>\n${lines.join("\n")}\n</observation>`);
    }),
});

/** The call's raw argument is the whole action as written: exporters find it in the text and do not write it twice. */
function callOf({ sql, text }: TagAction): ToolCall {
  return { id: CALL_ID, name: "sql", argumentsRaw: text, arguments: { sql } };
}
