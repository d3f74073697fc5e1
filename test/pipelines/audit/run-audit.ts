import { CommanderError } from "commander";
import { vi } from "vitest";
import { buildProgram } from "../../../pipelines/cli/program.ts";

/** Runs `gradus audit …` in this process and gives what it writes to standard output; throws what it throws. */
export async function runAudit(...args: readonly string[]): Promise<string> {
  const program = await buildProgram();
  let written = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
  try {
    await program.parseAsync(["node", "gradus", "audit", ...args]);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
  } finally {
    spy.mockRestore();
  }
  return written;
}
