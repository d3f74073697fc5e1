import type { MalformedReplies, MalformedReply, Outcome } from "./malformed-replies.ts";

const WELL = "<reasoning>boat: name</reasoning>";

/** In test mode a reply without an action gets a reminder, and the first action is taken. */
function strict(what: string, reply: string, violation: string, test: Outcome): MalformedReply {
  return [what, reply, `stop ${violation}`, test];
}

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
    strict("nothing", "", "no_action", "told reminder_no_tag"),
    strict("a thought alone", WELL, "no_action", "told reminder_no_tag"),
    strict("SQL without tags", "SELECT 1", "no_action", "told reminder_no_tag"),
    strict(
      "a fence in place of a tag",
      `${WELL}\`\`\`sql\nSELECT 1\n\`\`\``,
      "no_action",
      "told reminder_no_tag",
    ),
    strict("an unknown tag", `${WELL}<query>SELECT 1</query>`, "no_action", "told reminder_no_tag"),
    strict(
      "a tag in HTML's escapes",
      `${WELL}&lt;sql&gt;SELECT 1&lt;/sql&gt;`,
      "no_action",
      "told reminder_no_tag",
    ),
    strict(
      "an action inside the thought",
      "<reasoning><sql>SELECT 1</sql></reasoning>",
      "no_action",
      "told reminder_no_tag",
    ),
    strict(
      "a thought without end",
      "<reasoning>a <sql>SELECT 1</sql>",
      "no_action",
      "told reminder_unclosed_thought",
    ),
    strict("an empty statement", `${WELL}<sql>  </sql>`, "malformed_call", "told reminder_empty_action"),
    strict("an empty answer", `${WELL}<solution></solution>`, "malformed_call", "told reminder_empty_action"),
    strict(
      "tags that do not match",
      `${WELL}<sql>SELECT 1</solution>`,
      "malformed_call",
      "told reminder_mismatched_tags",
    ),
    strict(
      "an observation of its own",
      `${WELL}<observation>1`,
      "forged_result",
      "told reminder_forged_observation",
    ),
    strict(
      "an answer inside an observation of its own",
      `${WELL}<observation><solution>SELECT 9</solution></observation>`,
      "forged_result",
      "told reminder_no_tag",
    ),
    strict(
      "an observation after the call",
      `${WELL}<sql>SELECT 1</sql><observation>1</observation>`,
      "forged_result",
      act("SELECT 1"),
    ),
    strict(
      "two statements",
      `${WELL}<sql>SELECT 1</sql><sql>SELECT 2</sql>`,
      "several_actions",
      act("SELECT 1"),
    ),
    strict(
      "a statement and an answer",
      `${WELL}<sql>SELECT 1</sql><solution>SELECT 2</solution>`,
      "several_actions",
      act("SELECT 1"),
    ),
    strict(
      "another protocol's call",
      `${WELL}<tool_call>{"name":"sql"}</tool_call>`,
      "no_action",
      "told reminder_no_tag",
    ),
    same(
      "a second statement in one",
      `${WELL}<sql>SELECT 1; DROP TABLE boat</sql>`,
      act("SELECT 1; DROP TABLE boat"),
    ),
    same("braces and tags in a text", `${WELL}<sql>SELECT '{</b>}'</sql>`, act("SELECT '{</b>}'")),
    same("a stop string kept back", `${WELL}<solution>SELECT 1`, "answer SELECT 1"),
  ],
};
