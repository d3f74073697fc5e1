import { z } from "zod";
import { defineScaffold } from "../../core/scaffold.ts";
import {
  dualSqlTools,
  generatorOptions,
  keepDualSqlReply,
  observeDualSql,
  openDualSql,
  reactToDualSql,
} from "../dualsql-episode.ts";

const Options = generatorOptions(10).extend({
  /** Whether the linker's episode comes first; without it the generator sees what it is opened with. */
  chain: z.boolean().default(true),
  /** Whether gold's own tables and columns take the linker's place. */
  oracle: z.boolean().default(false),
  /** Options of the linker; it shares the form of calls, the history and the guardrails where they are left out. */
  linker: z.record(z.string(), z.json()).default({}),
});

/**
 * The SQL generator on the schema that the linker leaves: a tool user whose answer is the query in the last
 * block of its reply, which it must have run before. Protocol and past thoughts as in `dualsql-linker`.
 * @paper DualSQL, the SQL generator; that just the answered query must have been run is our reading
 */
export default defineScaffold({
  id: "dualsql-generator",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "kept",
  task: "generator",
  nativeTools: ({ calls }) => calls === "native",
  tools: (options) => dualSqlTools(options),
  prelude({ chain, oracle, linker, calls, history, guardrails }) {
    if (oracle) return "gold_links";
    if (!chain) return null;
    return { scaffold: "dualsql-linker", options: { calls, history, guardrails, ...linker } };
  },
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => openDualSql("generator", opening, options),
  read: (reply, options) => keepDualSqlReply(reply, options),
  react: (message, state, options) => reactToDualSql("generator", message, state, options),
  observe: (results) => observeDualSql(results),
});
