#!/usr/bin/env node
import { buildProgram, report } from "./program.ts";

try {
  const program = await buildProgram();
  for (const command of program.commands) command.exitOverride();
  await program.parseAsync(process.argv);
} catch (thrown) {
  process.exitCode = report(thrown);
}
