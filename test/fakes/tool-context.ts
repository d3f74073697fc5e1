import type { Database } from "../../core/database.ts";
import { ProfileOptions } from "../../core/database-profiler.ts";
import type { SqlRunner } from "../../core/sql-runner.ts";
import type { ToolContext } from "../../core/tool.ts";
import { NO_PROFILER } from "./run-stage.ts";

/** What a tool gets that neither profiles nor remembers. */
export function toolContext(
  database: Database,
  sql: SqlRunner,
  parts: Partial<ToolContext> = {},
): ToolContext {
  return {
    database,
    sql,
    profile: null,
    profiler: NO_PROFILER,
    profileOptions: ProfileOptions.parse({}),
    history: [],
    ...parts,
  };
}
