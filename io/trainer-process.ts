import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { GradusError, messageOf } from "../core/errors.ts";
import { elapsedMs } from "./clock.ts";
import { fileError, kindOf, makeFolder, readText, remove } from "./files.ts";
import { interruption, sleep } from "./models/interruption.ts";

/** A command to start and to watch. */
export interface TrainerRequest {
  readonly command: readonly string[];
  /** Where its output, its state and what it makes lie: `stdout.log`, `stderr.log`, `pid`, `exit`. */
  readonly folder: string;
  /** On top of this process's environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told once it is started, or found running. */
  readonly onStarted: (pid: number, isFound: boolean) => void;
}

/** The name that its shell goes by in the list of processes. */
const SHELL_NAME = "gradus-trainer";
/** The shell says its process id before, and the exit status of the command after it, each by rename. */
const SCRIPT = `folder=$1; shift
echo $$ > "$folder/pid.part" && mv "$folder/pid.part" "$folder/pid"
"$@"
status=$?
echo $status > "$folder/exit.part" && mv "$folder/exit.part" "$folder/exit"
exit $status`;
const WATCH_MS = 100;
const KILL_AFTER_MS = 10_000;
const STARTING_MS = 10_000;
const SHOWN_CHARACTERS = 600;

/**
 * Runs a command to its end, in a process group of its own, its output in files. It outlives this process: a later
 * call with the same folder finds it running and goes on watching, or takes the result that it left. Returns its
 * standard output.
 * @throws TRAINER_FAILED with the end of its error output, TRAINER_TIMED_OUT, INTERRUPTED (the group is ended), FILE_FAILED.
 */
export async function runTrainer(request: TrainerRequest): Promise<string> {
  await makeFolder(request.folder);
  const running = await findRunning(request.folder);
  if (running !== null) request.onStarted(running, true);
  const exited = running === null ? await exitStatus(request.folder) : null;
  const pid = exited === 0 ? null : (running ?? (await start(request)));
  if (pid !== null) await watch(pid, request);
  const status = exited === 0 ? 0 : await exitStatus(request.folder);
  const output = await textOf(request.folder, "stdout.log");
  if (status === 0) return output;
  const errors = (await textOf(request.folder, "stderr.log")).trim().slice(-SHOWN_CHARACTERS);
  const how = status === null ? "ended without a status: it was killed" : `ended with status ${status}`;
  throw new GradusError(
    "TRAINER_FAILED",
    `the trainer ${request.command.join(" ")} ${how}${errors === "" ? "" : `; it said last: ${errors}`}`,
    {
      site: { file: path.join(request.folder, "stderr.log") },
      hint: "mend the command and run gradus round again",
    },
  );
}

async function start(request: TrainerRequest): Promise<number> {
  const { folder, command } = request;
  for (const name of ["pid", "exit", "pid.part", "exit.part"]) await remove(path.join(folder, name));
  const outputs: number[] = [];
  try {
    for (const name of ["stdout.log", "stderr.log"]) outputs.push(openSync(path.join(folder, name), "w"));
    const [out = 0, err = 0] = outputs;
    const child = spawn("/bin/sh", ["-c", SCRIPT, SHELL_NAME, folder, ...command], {
      detached: true,
      stdio: ["ignore", out, err],
      env: { ...process.env, ...request.environment },
    });
    const failed = new Promise<never>((_, reject) => {
      child.once("error", (thrown) => reject(fileError("start", "/bin/sh", thrown)));
    });
    failed.catch(() => undefined);
    await Promise.race([failed, untilStarted(folder)]);
    child.unref();
    const pid = child.pid ?? 0;
    request.onStarted(pid, false);
    return pid;
  } finally {
    for (const output of outputs) closeSync(output);
  }
}

async function untilStarted(folder: string): Promise<void> {
  for (const began = elapsedMs(); elapsedMs() - began < STARTING_MS; ) {
    if ((await kindOf(path.join(folder, "pid"))) === "file") return;
    await sleep(WATCH_MS / 10, new AbortController().signal);
  }
}

/** Waits until a process ends; ends its group when it takes too long, or when it is to stop. */
async function watch(pid: number, { timeoutMs, signal, command, folder }: TrainerRequest): Promise<void> {
  const began = elapsedMs();
  while (isTrainer(pid, folder)) {
    const isLate = elapsedMs() - began > timeoutMs;
    if (isLate || signal.aborted) {
      await endGroup(pid, folder);
      if (signal.aborted) throw interruption();
      throw new GradusError(
        "TRAINER_TIMED_OUT",
        `the trainer ${command.join(" ")} took longer than ${Math.round(timeoutMs / 60_000)} minutes and was ended`,
        { hint: "raise trainer.timeoutMinutes in the config" },
      );
    }
    await sleep(WATCH_MS, signal).catch(() => undefined);
  }
}

async function endGroup(pid: number, folder: string): Promise<void> {
  send(pid, "SIGTERM");
  const never = new AbortController().signal;
  for (const began = elapsedMs(); isTrainer(pid, folder) && elapsedMs() - began < KILL_AFTER_MS; ) {
    await sleep(WATCH_MS, never);
  }
  send(pid, "SIGKILL");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

async function findRunning(folder: string): Promise<number | null> {
  const pid = Number((await textOf(folder, "pid")).trim());
  return Number.isSafeInteger(pid) && pid > 1 && isTrainer(pid, folder) ? pid : null;
}

/** Whether a process lives and is the shell of this folder's trainer; where there is no /proc, whether it lives. */
function isTrainer(pid: number, folder: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) return false;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.includes(SHELL_NAME) && words.includes(folder);
  } catch (thrown) {
    return !messageOf(thrown).includes("ENOENT") && !messageOf(thrown).includes("ESRCH");
  }
}

async function exitStatus(folder: string): Promise<number | null> {
  const text = (await textOf(folder, "exit")).trim();
  return /^\d+$/.test(text) ? Number(text) : null;
}

async function textOf(folder: string, name: string): Promise<string> {
  const file = path.join(folder, name);
  return (await kindOf(file)) === "file" ? await readText(file) : "";
}
