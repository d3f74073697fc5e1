import { defineScaffold } from "../../core/scaffold.ts";
import {
  dualSqlOptions,
  dualSqlTools,
  keepDualSqlReply,
  observeDualSql,
  openDualSql,
  reactToDualSql,
} from "../dualsql-episode.ts";

const Options = dualSqlOptions(5);

/**
 * The schema linker: a tool user whose answer is the tables and columns that a question needs, as JSON in the
 * last block of its reply. Each reply is a thought, a short summary and one action; guardrails say what
 * follows from one that is not. Earlier thoughts are kept: within one question the published template of the
 * paper's models keeps those of all replies that only tool results separate, and messages of guardrails have
 * the form of tool results.
 * @paper DualSQL, the schema linker; which names count as unknown is not in the paper
 */
export default defineScaffold({
  id: "dualsql-linker",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "kept",
  task: "linker",
  nativeTools: ({ calls }) => calls === "native",
  tools: (options) => dualSqlTools(options),
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => openDualSql("linker", opening, options),
  read: (reply, options) => keepDualSqlReply(reply, options),
  react: (message, state, options) => reactToDualSql("linker", message, state, options),
  observe: (results) => observeDualSql(results),
});
