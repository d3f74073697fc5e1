import { Command, CommanderError } from "commander";
import { vi } from "vitest";
import type { CliCommand } from "../../../pipelines/cli/command.ts";

/** Runs `gradus audit <action> …` in this process and gives what it writes to standard output; throws what it throws. */
export async function runAudit(action: string, ...args: readonly string[]): Promise<string> {
  const program = new Command("gradus").exitOverride();
  const module = (await import(`../../../pipelines/audit/commands/${action}.ts`)) as { default: CliCommand };
  module.default.register(program.command("audit"));
  return written(() => program.parseAsync(["node", "gradus", "audit", action, ...args]));
}

/** What an act writes to standard output; asking for help is no failure. */
export async function written(act: () => Promise<unknown>): Promise<string> {
  let text = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
  } finally {
    spy.mockRestore();
  }
  return text;
}
