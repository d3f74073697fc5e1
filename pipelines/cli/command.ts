import path from "node:path";
import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { elapsedMs } from "../../io/clock.ts";
import type { PathRoots } from "../paths.ts";
import type { Reporter } from "../reporter.ts";
import { lineReporter } from "../reporters/lines.ts";
import { terminalReporter } from "../reporters/terminal.ts";
import { SILENT_REPORTER } from "../reporter.ts";

/** A command of `gradus`: one file of this folder whose default export it is. */
export interface CliCommand {
  /** Declares the command with its options, help and an example. */
  register(program: Command): void;
}

/** Options that many commands share. */
export interface CommonOptions {
  readonly data?: string;
  readonly runs?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Adds `--data`, `--runs`, `--json` and `--quiet`. */
export function withCommonOptions(command: Command): Command {
  return command
    .option("--data <dir>", "data root: the folder that holds your datasets (default: $GRADUS_DATA)")
    .option("--runs <dir>", "folder of the runs (default: ./runs)")
    .option("--json", "one JSON document on standard output, nothing else")
    .option("--quiet", "no progress, only warnings");
}

/** The roots that a command's paths are taken from. */
export function pathRoots(options: CommonOptions, configFolder: string): PathRoots {
  return {
    dataRoot: options.data ?? process.env["GRADUS_DATA"] ?? null,
    configFolder,
    runsFolder: options.runs ?? "runs",
  };
}

/** Progress for a person on standard error: bars on a terminal, lines elsewhere, only warnings when asked. */
export function reporterFor(options: CommonOptions): Reporter {
  const isSilent = options.quiet === true || options.json === true;
  if (process.stderr.isTTY && !isSilent) return terminalReporter(process.stderr, elapsedMs);
  const lines = lineReporter(writeError, elapsedMs);
  if (!isSilent) return lines;
  return {
    ...SILENT_REPORTER,
    warn: (id, message) => {
      lines.warn(id, message);
    },
  };
}

/** Failures that are wrong usage where only options can have caused them. */
const UNKNOWN_NAMES: ReadonlySet<string> = new Set(["PLUG_UNKNOWN", "DATASET_SPLIT_UNKNOWN"]);

const wrongUsages = new WeakSet<Error>();

/** Runs a command whose plugs and splits are all named by options: an unknown one is wrong usage. */
export async function namedByOptions<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (thrown instanceof GradusError && UNKNOWN_NAMES.has(thrown.code)) wrongUsages.add(thrown);
    throw thrown;
  }
}

/** Whether a failure is of wrong usage. */
export function isWrongUsage(thrown: GradusError): boolean {
  return thrown.code === "USAGE" || wrongUsages.has(thrown);
}

/** Writes a line to standard error. */
export function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Refuses an output that is one of the inputs.
 * @throws USAGE.
 */
export function refuseOverwriting(out: string, inputs: readonly string[]): void {
  const taken = inputs.find((input) => path.resolve(input) === path.resolve(out));
  if (taken === undefined) return;
  throw new GradusError("USAGE", `--out is the input file ${taken}, expected another file`);
}

/** Writes the one JSON document of a `--json` command. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Writes lines to standard output. */
export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Parses an option that must be a whole number of at least `minimum`.
 * @throws USAGE naming the option.
 */
export function wholeNumber(name: string, value: string, minimum: number): number {
  const parsed = Number(value);
  if (Number.isSafeInteger(parsed) && parsed >= minimum) return parsed;
  throw new GradusError("USAGE", `${name} must be a whole number from ${minimum}, got "${value}"`);
}

/**
 * Parses an option that lists names, separated by commas.
 * @throws USAGE when it names none.
 */
export function listOption(name: string, value: string): string[] {
  const items = value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (items.length > 0) return items;
  throw new GradusError("USAGE", `${name} is empty, expected names separated by commas`);
}
