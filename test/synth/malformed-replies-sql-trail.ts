import type { MalformedReplies, MalformedReply, Outcome } from "./malformed-replies.ts";

const WELL = "<reasoning>boat: name</reasoning>";

/** SQL-Trail's paper has no guardrails: a reply without an action gets a reminder. */
function same(what: string, reply: string, outcome: Outcome): MalformedReply {
  return [what, reply, outcome, outcome];
}

function act(sql: string): Outcome {
  return `act execute-sql-dataframe ${JSON.stringify({ sql })}`;
}

export const SQL_TRAIL: MalformedReplies = {
  scaffold: "sql-trail",
  options: {},
  earlier: [`${WELL}<sql>SELECT name FROM boat</sql>`],
  ending: `${WELL}<solution>SELECT name FROM boat</solution>`,
  replies: [
    same("nothing", "", "told reminder_no_tag"),
    same("a thought alone", WELL, "told reminder_no_tag"),
    same("SQL without tags", "SELECT 1", "told reminder_no_tag"),
    same("a fence in place of a tag", `${WELL}\`\`\`sql\nSELECT 1\n\`\`\``, "told reminder_no_tag"),
    same("an unknown tag", `${WELL}<query>SELECT 1</query>`, "told reminder_no_tag"),
    same("a tag in HTML's escapes", `${WELL}&lt;sql&gt;SELECT 1&lt;/sql&gt;`, "told reminder_no_tag"),
    same(
      "an action inside the thought",
      "<reasoning><sql>SELECT 1</sql></reasoning>",
      "told reminder_no_tag",
    ),
    same("a thought without end", "<reasoning>a <sql>SELECT 1</sql>", "told reminder_unclosed_thought"),
    same("an empty statement", `${WELL}<sql>  </sql>`, "told reminder_empty_action"),
    same("an empty answer", `${WELL}<solution></solution>`, "told reminder_empty_action"),
    same("tags that do not match", `${WELL}<sql>SELECT 1</solution>`, "told reminder_mismatched_tags"),
    same("an observation of its own", `${WELL}<observation>1`, "told reminder_forged_observation"),
    same(
      "an answer inside an observation of its own",
      `${WELL}<observation><solution>SELECT 9</solution></observation>`,
      "told reminder_no_tag",
    ),
    same(
      "an observation after the call",
      `${WELL}<sql>SELECT 1</sql><observation>1</observation>`,
      act("SELECT 1"),
    ),
    same("two statements", `${WELL}<sql>SELECT 1</sql><sql>SELECT 2</sql>`, act("SELECT 1")),
    same(
      "a statement and an answer",
      `${WELL}<sql>SELECT 1</sql><solution>SELECT 2</solution>`,
      act("SELECT 1"),
    ),
    same("another protocol's call", `${WELL}<tool_call>{"name":"sql"}</tool_call>`, "told reminder_no_tag"),
    same(
      "a second statement in one",
      `${WELL}<sql>SELECT 1; DROP TABLE boat</sql>`,
      act("SELECT 1; DROP TABLE boat"),
    ),
    same("braces and tags in a text", `${WELL}<sql>SELECT '{</b>}'</sql>`, act("SELECT '{</b>}'")),
    same("a stop string kept back", `${WELL}<solution>SELECT 1`, "answer SELECT 1"),
  ],
};
