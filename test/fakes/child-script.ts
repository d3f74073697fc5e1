import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import path from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = path.dirname(fileURLToPath(import.meta.url));

/** A script of this folder in a process of its own. */
export interface ChildScript {
  readonly pid: number;
  /** The next line it writes; `undefined` when it has ended. */
  line(): Promise<string | undefined>;
  kill(signal: NodeJS.Signals): void;
  /** How it ended: an exit code or a signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts `<name>.ts` of this folder with arguments. */
export function startScript(name: string, ...given: readonly string[]): ChildScript {
  const script = path.join(FOLDER, `${name}.ts`);
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ["--import", "tsx", script, ...given],
    { cwd: path.resolve(FOLDER, "../.."), stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    line: async () => {
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
    kill: (signal) => child.kill(signal),
    ended: new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal }))),
  };
}
