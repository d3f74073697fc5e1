const LOOK = "SELECT count(*) FROM sqlite_schema";
const ROWS = "SELECT 1, 'a', 2.5 UNION ALL SELECT 2, 'b', 3.5";
const THOUGHT = "The ports are what is asked for, so they are counted first. ".repeat(8);

function call(name: string, given: Readonly<Record<string, string>>): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
}

function thinking(text: string): string {
  return `<think>\n${THOUGHT}\n</think>\n\n${text}`;
}

function padded(text: string): string {
  return `<scratch_pad>\n${THOUGHT}\n</scratch_pad>\n${text}`;
}

/** Stands for the name of a table of the schema that the request shows. */
export const TABLE = "@table@";

/**
 * Three well-formed replies of each agent, by the id of its scaffold: two with a statement to run or something to look
 * up, and the end. A chain is two agents.
 */
export const AGENT_REPLIES: Readonly<Record<string, readonly [string, string, string]>> = {
  "sql-trail": [
    `<reasoning>${THOUGHT}</reasoning>\n<sql>${LOOK}</sql>`,
    `<reasoning>${THOUGHT}</reasoning>\n<sql>${ROWS}</sql>`,
    `<reasoning>${THOUGHT}</reasoning>\n<solution>SELECT 1</solution>`,
  ],
  "dualsql-linker": [
    thinking(call("full_text_search", { query: "name" })),
    thinking(call("database_profiler", { table: TABLE })),
    thinking(`\`\`\`json\n{"${TABLE}": []}\n\`\`\``),
  ],
  "dualsql-generator": [
    thinking(call("execute_sql", { sql: LOOK })),
    thinking(call("execute_sql", { sql: ROWS })),
    thinking(`\`\`\`sql\n${ROWS}\n\`\`\``),
  ],
  "retool-sql": [
    padded(call("sqlite_query", { sql: LOOK })),
    padded(call("sqlite_query", { sql: ROWS })),
    padded(`<schema>{"${TABLE}": []}</schema>\n<final_answer>\n${ROWS}\n</final_answer>`),
  ],
  "mtsql-r1": [
    thinking(call("exec_sql", { code: LOOK })),
    thinking(`<execution_check>fail</execution_check>\n${call("exec_sql", { code: ROWS })}`),
    thinking(`<execution_check>pass</execution_check>\n<final_answer>\n${ROWS}\n</final_answer>`),
  ],
};

/** Texts that stand in the prompts of an agent and of none after it in this list. */
export const AGENT_SIGNS: readonly (readonly [sign: string, scaffold: string])[] = [
  ["You find the part of a SQLite database", "dualsql-linker"],
  ["exec_sql", "mtsql-r1"],
  ["sqlite_query", "retool-sql"],
  ["execute_sql", "dualsql-generator"],
  ["<observation>", "sql-trail"],
];
