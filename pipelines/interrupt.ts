/**
 * A signal that the first Ctrl-C (or SIGTERM) raises, so that the run stops at the next row and keeps what
 * is finished; the second ends the process at once with 130. Call `release` at the end.
 */
export function interruptSignal(say: (line: string) => void): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    say("stopping: finished steps are kept; press Ctrl-C again to end at once");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
