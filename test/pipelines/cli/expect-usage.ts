import { expect } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";

/** Expects that a command's help has an example that starts with the command itself. */
export async function expectHelp(command: string): Promise<void> {
  const help = await runGradus([command, "--help"]);
  expect(help.stdout).toMatch(new RegExp(`^Usage: gradus ${command} `));
  expect(help.stdout).toMatch(
    new RegExp(`Example:\\n( {2}.*\\n)*? {2}(GRADUS_DATA=\\S+ )?gradus ${command} `),
  );
  expect(help.status).toBe(0);
}

/** Expects that wrong usage is told on standard error with exit status 2, and that nothing else is done. */
export async function expectUsageError(args: readonly string[], said: string): Promise<void> {
  const finished = await runGradus(args);
  expect(finished.stderr).toContain(said);
  expect(finished.stderr).not.toMatch(/^\s+at /m);
  expect(finished.stdout).toBe("");
  expect(finished.status).toBe(2);
}
