import { ANSWER, LINKS, RUN, WELL, bad, call, fine, slip, told } from "./malformed-reply-parts.ts";
import type { MalformedReplies } from "./malformed-replies.ts";

export const DUALSQL_LINKER: MalformedReplies = {
  scaffold: "dualsql-linker",
  options: {},
  earlier: [`${WELL}${call('{"name": "database_profiler", "arguments": {"table": "boat"}}')}`],
  ending: `${WELL}${LINKS}`,
  replies: [
    fine(
      "names in another case",
      `${WELL}\`\`\`json\n{"BOAT": ["Name", "SEATS", "name"]}\n\`\`\``,
      'links [{"table":"boat","columns":["name","seats"]}]',
    ),
    fine(
      "a table without columns",
      `${WELL}\`\`\`json\n{"crossing": [], "boat": ["name"]}\n\`\`\``,
      'links [{"table":"boat","columns":["name"]},{"table":"crossing","columns":[]}]',
    ),
    told("an unknown table", `${WELL}\`\`\`json\n{"boats": ["name"]}\n\`\`\``, "malformed_answer"),
    told("an unknown column", `${WELL}\`\`\`json\n{"boat": ["name", "island"]}\n\`\`\``, "malformed_answer"),
    told("no table", `${WELL}\`\`\`json\n{}\n\`\`\``, "malformed_answer"),
    told("a list", `${WELL}\`\`\`json\n["boat.name"]\n\`\`\``, "malformed_answer"),
    told("columns as a text", `${WELL}\`\`\`json\n{"boat": "name"}\n\`\`\``, "malformed_answer"),
    told("half an object", `${WELL}\`\`\`json\n{"boat": ["name"\n\`\`\``, "malformed_answer"),
    slip(
      "a trailing comma",
      `${WELL}\`\`\`json\n{"boat": ["name",]}\n\`\`\``,
      "malformed_answer",
      'links [{"table":"boat","columns":["name"]}]',
    ),
    told("two objects", `${WELL}\`\`\`json\n{"boat": []}\n{"crossing": []}\n\`\`\``, "malformed_answer"),
    told("a table twice", `${WELL}\`\`\`json\n{"boat": [], "boat": ["name"]}\n\`\`\``, "malformed_answer"),
    told("a query", `${WELL}${ANSWER}`, "malformed_answer"),
    told("JSON without a block", `${WELL}{"boat": ["name"]}`, "no_action"),
    told("a call in the block", `${WELL}\`\`\`json\n${RUN}\n\`\`\``, "malformed_answer"),
    told("a call and an answer", `${WELL}${call(RUN)}${LINKS}`, "several_actions"),
    told(
      "the same call again",
      `${WELL}${call('{"name": "database_profiler", "arguments": {"table": "boat"}}')}`,
      "repeated_call",
    ),
    bad(
      "a list of columns that is a text",
      `${WELL}${call('{"name": "database_profiler", "arguments": {"table": "boat", "columns": "name"}}')}`,
      "wrong_arguments",
    ),
  ],
};
