import { CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import { buildProgram, report } from "../../../pipelines/cli/program.ts";

describe("buildProgram", () => {
  it("finds a command in every file that is one, each with a description and an example", async () => {
    const program = await buildProgram();
    expect(program.commands.length).toBeGreaterThanOrEqual(9);
    for (const command of program.commands) {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(command.description(), command.name()).not.toBe("");
      expect(help).toMatch(
        new RegExp(`\\nExample:\\n( {2}.*\\n)*? {2}(\\S+=\\S+ )?gradus ${command.name()}\\b`),
      );
    }
  });
});

describe("report", () => {
  let said: string;

  beforeEach(() => {
    said = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });

  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["USAGE", 2],
    ["INTERRUPTED", 130],
    ["DISK_FULL", 1],
  ])("%s exits with %i", (code, status) => {
    expect(report(new GradusError(code, "it stopped", { hint: "go on" }))).toBe(status);
    expect(said).toBe(`${code}: it stopped\nhint: go on\n`);
  });

  it("leaves what the command line said alone: 0 for help, 2 for wrong usage", () => {
    expect(report(new CommanderError(0, "commander.help", "help"))).toBe(0);
    expect(report(new CommanderError(1, "commander.unknownOption", "error"))).toBe(2);
    expect(said).toBe("");
  });

  it("shows where a defect of ours happened", () => {
    expect(report(new TypeError("undefined is not a function"))).toBe(1);
    expect(said).toMatch(/^TypeError: undefined is not a function\n\s+at /);
    expect(report("a text")).toBe(1);
  });
});
