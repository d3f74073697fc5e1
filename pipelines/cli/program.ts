import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Command, CommanderError } from "commander";
import { formatError, GradusError } from "../../core/errors.ts";
import { listFolder } from "../../io/files.ts";
import { packageVersion } from "../../io/package-root.ts";
import { type CliCommand, isWrongUsage } from "./command.ts";

/** Files of this folder that are not commands. */
const NOT_COMMANDS: readonly string[] = ["main", "command", "program"];

/** The whole command line, its commands found in this folder. */
export async function buildProgram(): Promise<Command> {
  const program = new Command("gradus")
    .description("Builds verified SFT and RL training sets for text-to-SQL agents.")
    .version(await packageVersion())
    .showSuggestionAfterError(true)
    .showHelpAfterError("(gradus --help lists the commands)")
    .exitOverride();
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const extension = path.extname(fileURLToPath(import.meta.url));
  for (const name of await listFolder(folder)) {
    const stem = path.basename(name, extension);
    if (path.extname(name) !== extension || name.endsWith(".d.ts") || NOT_COMMANDS.includes(stem)) continue;
    const module = (await import(pathToFileURL(path.join(folder, name)).href)) as { default: CliCommand };
    module.default.register(program);
  }
  return program;
}

/** The exit status of a failure: 2 wrong usage, 130 interrupted, else 1; prints it for a person. */
export function report(thrown: unknown): number {
  if (thrown instanceof CommanderError) {
    return thrown.exitCode === 0 ? 0 : 2;
  }
  if (thrown instanceof GradusError) {
    process.stderr.write(`${formatError(thrown)}\n`);
    if (isWrongUsage(thrown)) return 2;
    return thrown.code === "INTERRUPTED" ? 130 : 1;
  }
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  return 1;
}
