import type { TrainerFilesRequest } from "../../curation/trainer-files.ts";

const TOOL = {
  name: "execute_sql",
  description: 'Runs """one""" query.',
  parameters: {
    type: "object",
    properties: {
      limit: { type: "integer", description: "Rows." },
      sql: { type: "string", description: "SQL text." },
    },
    required: ["sql"],
  },
};

/** A service with everything, and one tool. */
export const REQUEST: TrainerFilesRequest = {
  url: "http://127.0.0.1:8100",
  tokenVariable: null,
  services: ["tools", "rewards", "env"],
  terms: ["task", "length"],
  scaffold: "dualsql-sql",
  tools: [TOOL],
};
