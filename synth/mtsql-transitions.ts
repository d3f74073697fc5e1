/**
 * What an agent can do next in a dialogue, a verification with its verdict: the actions of the transition
 * rule, and the form in which a message's `steps` name them.
 * @paper MTSQL-R1, equation 1; the verdict behind the colon is not in the paper
 */
export type MtsqlStep =
  | "PROPOSE"
  | "EXECUTE"
  | "E-VERIFY:pass"
  | "E-VERIFY:fail"
  | "M-VERIFY:pass"
  | "M-VERIFY:fail"
  | "SELF-CORRECT"
  | "FINALIZE";

/** Where an episode stands. */
export interface MtsqlProgress {
  /** The last step taken; `null` before the first. */
  readonly last: MtsqlStep | null;
  /** Whether the memory was consulted since the last step. */
  readonly isMemoryShown: boolean;
}

/** What one reply does: steps in order, then maybe a look into the memory. */
export interface MtsqlMove {
  readonly steps: readonly MtsqlStep[];
  readonly consultsMemory: boolean;
}

/** A move that the rule does not allow: `step` came where only `expected` may. */
export interface MtsqlRefusal {
  readonly step: MtsqlStep | "consult";
  readonly expected: readonly (MtsqlStep | "consult")[];
}

/** Before the first reply. */
export const MTSQL_START: MtsqlProgress = { last: null, isMemoryShown: false };

/**
 * The steps that may follow `last`. Where there is no memory (the first question of a dialogue), a query that
 * passes the check of its execution is final: the paper's rule does not tell this case.
 * @paper MTSQL-R1, equation 1
 */
export function stepsAfter(last: MtsqlStep | null, hasMemory: boolean): readonly MtsqlStep[] {
  switch (last) {
    case null:
      return ["PROPOSE"];
    case "PROPOSE":
    case "SELF-CORRECT":
      return ["EXECUTE"];
    case "EXECUTE":
      return ["E-VERIFY:pass", "E-VERIFY:fail"];
    case "E-VERIFY:pass":
      return hasMemory ? ["M-VERIFY:pass", "M-VERIFY:fail"] : ["FINALIZE"];
    case "E-VERIFY:fail":
    case "M-VERIFY:fail":
      return ["SELF-CORRECT"];
    case "M-VERIFY:pass":
      return ["FINALIZE"];
    default:
      return [];
  }
}

/**
 * Takes a reply's steps one by one. The memory is consulted once for each query that passed the check of its
 * execution, and a memory check may only be stated after that: when it is consulted is not in the paper.
 * A refused move changes nothing: `progress` is the one given.
 */
export function takeMove(
  progress: MtsqlProgress,
  { steps, consultsMemory }: MtsqlMove,
  hasMemory: boolean,
): { readonly progress: MtsqlProgress; readonly refusal: MtsqlRefusal | null } {
  let now = progress;
  for (const step of steps) {
    const expected = expectedAfter(now, hasMemory);
    if (!expected.includes(step)) return { progress, refusal: { step, expected } };
    now = { last: step, isMemoryShown: false };
  }
  if (!consultsMemory) return { progress: now, refusal: null };
  const expected = expectedAfter(now, hasMemory);
  if (!expected.includes("consult")) return { progress, refusal: { step: "consult", expected } };
  return { progress: { ...now, isMemoryShown: true }, refusal: null };
}

/** What the next reply may begin with: steps, or a look into the memory. */
export function expectedAfter(
  { last, isMemoryShown }: MtsqlProgress,
  hasMemory: boolean,
): readonly (MtsqlStep | "consult")[] {
  if (last === "E-VERIFY:pass" && hasMemory && !isMemoryShown) return ["consult"];
  return stepsAfter(last, hasMemory);
}
