import { GradusError, messageOf } from "../core/errors.ts";
import { ProgressWriter } from "./worker-progress.ts";

/** What the host sends. */
export interface TaskMessage {
  readonly task: number;
  readonly body: unknown;
}

/** What a worker sends: once that it is ready, then parts of a task's result and its end. */
export type WorkerMessage =
  | { readonly ready: true }
  | { readonly task: number; readonly part: unknown }
  | { readonly task: number; readonly done: true }
  | { readonly task: number; readonly failed: { readonly code: string; readonly message: string } };

export interface TaskServing {
  readonly progress: ProgressWriter;
  /** Sends a part of the result; resolves when it is on its way and the host was heard. */
  readonly send: (part: unknown) => Promise<void>;
}

/**
 * Makes this process a worker of a pool: does the tasks that its parent sends, one after the other, and ends
 * when the parent is gone. The path of the progress file is the first argument of the process.
 */
export function serveTasks(work: (body: unknown, serving: TaskServing) => Promise<void>): void {
  const progress = new ProgressWriter(process.argv[2] ?? "");
  process.on("message", (message: TaskMessage) => {
    const { task } = message;
    progress.startTask(task);
    work(message.body, { progress, send: (part) => post({ task, part }) })
      .then(
        (): WorkerMessage => ({ task, done: true }),
        (thrown: unknown): WorkerMessage => ({ task, failed: failureOf(thrown) }),
      )
      .then(post)
      .catch(() => process.exit(1));
  });
  process.on("disconnect", () => process.exit(0));
  void post({ ready: true });
}

function post(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

function failureOf(thrown: unknown): { code: string; message: string } {
  const code = thrown instanceof GradusError ? thrown.code : "SQL_WORKER_FAILED";
  return { code, message: messageOf(thrown) };
}
