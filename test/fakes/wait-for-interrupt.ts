import { interruptSignal } from "../../pipelines/interrupt.ts";

/**
 * A process that waits for signals: says `ready`, then whatever the interrupt says, then `aborted`. With
 * `release` as its argument it gives the signals back first.
 */
const { signal, release } = interruptSignal((line) => process.stdout.write(`${line}\n`));
if (process.argv[2] === "release") release();
signal.addEventListener("abort", () => process.stdout.write("aborted\n"));
setInterval(() => undefined, 1000);
process.stdout.write("ready\n");
