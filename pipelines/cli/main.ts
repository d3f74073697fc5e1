#!/usr/bin/env node
import { buildProgram, report } from "./program.ts";

/** Whoever reads the output may go away before its end, as `head` does: that is no failure. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "EPIPE") throw thrown;
  });
}

try {
  const program = await buildProgram();
  for (const command of program.commands) command.exitOverride();
  await program.parseAsync(process.argv);
} catch (thrown) {
  process.exitCode = report(thrown);
}
