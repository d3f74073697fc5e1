import { Command } from "commander";
import { expect, it } from "vitest";
import audit from "../../../pipelines/cli/audit.ts";

it("has a command for every file of its folder, each with a description and an example", () => {
  const program = new Command("gradus");
  audit.register(program);
  const [command] = program.commands;
  expect(command?.name()).toBe("audit");
  const names = command?.commands.map((one) => one.name()) ?? [];
  expect(names).toEqual(expect.arrayContaining(["list", "show"]));
  for (const one of command?.commands ?? []) {
    let help = "";
    one.configureOutput({ writeOut: (text) => (help += text) });
    one.outputHelp();
    expect(one.description(), one.name()).not.toBe("");
    expect(help).toContain(`\nExample:\n  gradus audit ${one.name()} `);
  }
});
