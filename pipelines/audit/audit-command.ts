import type { Command } from "commander";

/** A command of `gradus audit`: one file of `pipelines/audit/commands` whose default export it is. */
export interface AuditCommand {
  /** Declares the command with its options, help and an example. */
  register(audit: Command): void;
}
