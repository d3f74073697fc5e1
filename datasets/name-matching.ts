/** A known name that a given one stands for; `exact` when it is the same string. */
export interface NameMatch {
  readonly name: string;
  readonly exact: boolean;
}

/** Ever more lenient readings of a name. */
const READINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.trim().toLowerCase(),
  (name) => name.toLowerCase().replaceAll(/[\s_-]+/g, ""),
  (name) =>
    name
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, "")
      .replace(/s$/, ""),
];

/**
 * The known name that `given` stands for: the same string, else the only one that is the same but for case
 * and outer space, then but for spaces, underscores and hyphens, then but for a plural `s`. `null` when
 * there is none, or more than one at the first reading that has any.
 */
export function matchName(given: string, known: readonly string[]): NameMatch | null {
  for (const read of READINGS) {
    const wanted = read(given);
    const found = known.filter((name) => read(name) === wanted);
    const [name] = found;
    if (name === undefined) continue;
    return found.length === 1 ? { name, exact: name === given } : null;
  }
  return null;
}
