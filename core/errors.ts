/** Where an error happened, as far as it is known. Never a machine path of a secret kind: it is printed. */
export interface ErrorSite {
  readonly stage?: string;
  readonly plug?: string;
  readonly rowId?: string;
  readonly file?: string;
  /** 1-based line of `file`. */
  readonly line?: number;
}

export interface ErrorDetails {
  readonly site?: ErrorSite;
  /** The next step for the person who reads the message. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The one error class of gradus. `code` is UPPER_SNAKE with its area first (`DATASET_FILE_MISSING`);
 * callers and tests switch on it. `message` says what failed, what it got and what it expected.
 */
export class GradusError extends Error {
  readonly code: string;
  readonly site: ErrorSite;
  readonly hint: string | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "GradusError";
    this.code = code;
    this.site = details.site ?? {};
    this.hint = details.hint;
  }
}

/** The lines a person reads: code and message, the site, then `hint:`. */
export function formatError(error: GradusError): string {
  const site = Object.entries(error.site)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  const lines = [`${error.code}: ${error.message}${site === "" ? "" : ` (${site})`}`];
  if (error.hint !== undefined) lines.push(`hint: ${error.hint}`);
  return lines.join("\n");
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Runs `action`; whatever it throws that is not a `GradusError` leaves as one with `code`. */
export async function boundary<T>(code: string, site: ErrorSite, action: () => Promise<T> | T): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (thrown instanceof GradusError) throw thrown;
    throw new GradusError(code, messageOf(thrown), { site, cause: thrown });
  }
}

/** The known name closest to `given` (edit distance at most 2, or a third of its length), if any. */
export function nearMiss(given: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(given.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(given.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current[column] = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution);
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
