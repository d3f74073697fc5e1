import { defineScaffold } from "../../core/scaffold.ts";
import {
  dualSqlTools,
  generatorOptions,
  keepDualSqlReply,
  observeDualSql,
  openDualSql,
  reactToDualSql,
} from "../dualsql-episode.ts";

const Options = generatorOptions(10);

/**
 * The SQL generator alone, on the full schema. Protocol and past thoughts as in `dualsql-linker`.
 * @paper DualSQL, the single-agent setting
 */
export default defineScaffold({
  id: "dualsql-sql",
  version: 1,
  options: Options,
  readsGold: false,
  pastThoughts: "kept",
  task: "generator",
  nativeTools: ({ calls }) => calls === "native",
  tools: (options) => dualSqlTools(options),
  stops: () => [],
  maxTurns: ({ maxTurns }) => maxTurns,
  open: (opening, options) => openDualSql("generator", opening, options),
  read: (reply, options) => keepDualSqlReply(reply, options),
  react: (message, state, options) => reactToDualSql("generator", message, state, options),
  observe: (results) => observeDualSql(results),
});
