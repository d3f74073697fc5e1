/** The one clock: milliseconds that only grow. For progress, run logs and measured run times, never for rows. */
export function elapsedMs(): number {
  return performance.now();
}

/** The time of day, ISO 8601 in UTC. For run logs and the author's line of a correction, never for keys. */
export function timeOfDay(): string {
  return new Date().toISOString();
}
