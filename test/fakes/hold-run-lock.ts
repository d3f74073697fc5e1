import { formatError, GradusError } from "../../core/errors.ts";
import { lockRun } from "../../io/run-lock.ts";

/** A process that takes the lock of the run in its first argument, says `locked`, and holds it until it is ended. */
const [runFolder = "", holder = ""] = process.argv.slice(2);
try {
  await lockRun(runFolder, holder);
  process.stdout.write("locked\n");
  setInterval(() => undefined, 1000);
} catch (thrown) {
  process.stdout.write(`${thrown instanceof GradusError ? formatError(thrown) : String(thrown)}\n`);
}
