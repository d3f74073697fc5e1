import type { z } from "zod";
import type { Database } from "./database.ts";
import type { DatabaseProfile } from "./database-profile.ts";
import type { DatabaseProfiler, ProfileOptions } from "./database-profiler.ts";
import type { Execution } from "./execution.ts";
import type { Json } from "./key.ts";
import type { ToolSchema } from "./model.ts";
import type { SqlRunner } from "./sql-runner.ts";

/** What a tool may use. */
export interface ToolContext {
  readonly database: Database;
  readonly sql: SqlRunner;
  /** The database's profile; `null` unless the tool `needs` it. */
  readonly profile: DatabaseProfile | null;
  readonly profiler: DatabaseProfiler;
  readonly profileOptions: ProfileOptions;
  /** The earlier turns of the dialogue as the scaffold's history policy shows them, the oldest first. */
  readonly history: readonly ShownTurn[];
}

/** An earlier turn of a dialogue: with SQL only where the history policy says so. */
export interface ShownTurn {
  readonly question: string;
  readonly sql: string | null;
}

/** A tool's answer. `text` is what the agent reads: cell text in it can close no tag of the scaffold. */
export interface ToolResult {
  readonly text: string;
  /** Whether the call did what it asked for; a failed one is an answer too. */
  readonly ok: boolean;
  /** Of the statement that it ran, if any. */
  readonly execution: Execution | null;
}

/** A tool of agents. `run` never throws for what the arguments say: a wrong call is a result with `ok` false. */
export interface Tool<Options extends z.ZodType = z.ZodType> {
  readonly kind: "tool";
  readonly id: string;
  readonly version: number;
  /** The same bytes wherever the tool is described to a model. */
  readonly schema: ToolSchema;
  readonly options: Options;
  /** Whether it reads the database's profile or its search index; both are made before an episode begins. */
  readonly needsProfile?: boolean;
  run(
    callArguments: Readonly<Record<string, Json>>,
    options: z.infer<Options>,
    context: ToolContext,
  ): Promise<ToolResult>;
}

/** Types a tool plug; the file's stem is its id. */
export function defineTool<Options extends z.ZodType>(tool: Omit<Tool<Options>, "kind">): Tool {
  return { kind: "tool", ...tool } as unknown as Tool;
}
