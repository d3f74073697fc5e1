import type {
  ChangeKind,
  ChangeSign,
  ReleaseChange,
  ResultRelation,
  UnjudgedReason,
} from "./release-change.ts";

/** Sums over the changes of a comparison. */
export interface DiffTotals {
  /** Questions that both releases have. */
  readonly matched: number;
  /** Questions that the newer release, a partial one, does not speak of. */
  readonly passedOver: number;
  readonly changedQuestions: number;
  readonly changed: Readonly<Record<ChangeKind, number>>;
  /** Changes by the fields that changed together: `gold+question`. */
  readonly together: Readonly<Record<string, number>>;
  /** Changed golds that were run, and their results; `null` counts those where one of the two did not run. */
  readonly goldsRun: number;
  readonly results: Readonly<Record<ResultRelation | "not_comparable", number>>;
  readonly signs: Readonly<Record<ChangeSign, number>>;
  readonly unjudged: Readonly<Record<UnjudgedReason, number>>;
  /** Verdicts that the change of a gold turned: questions where a system wins or loses, and those verdicts. */
  readonly verdicts: {
    readonly questions: number;
    readonly wrongToRight: number;
    readonly rightToWrong: number;
    readonly other: number;
  };
  /** By system: answers judged right before and after, over the changed questions that were run. */
  readonly systems: Readonly<Record<string, { wrongToRight: number; rightToWrong: number }>>;
}

/** Adds the changes up. */
export function totalsOf(
  changes: readonly ReleaseChange[],
  outer: Pick<DiffTotals, "matched" | "passedOver">,
): DiffTotals {
  const changed = { gold: 0, question: 0, evidence: 0, database: 0, added: 0, removed: 0 };
  const results = { same_order: 0, same_rows: 0, same_set: 0, different: 0, not_comparable: 0 };
  const signs = emptySigns();
  const together = new Map<string, number>();
  const unjudged = { no_gold: 0, database_unnamed: 0, database_missing: 0 };
  const verdicts = { questions: 0, wrongToRight: 0, rightToWrong: 0, other: 0 };
  const systems = new Map<string, { wrongToRight: number; rightToWrong: number }>();
  let goldsRun = 0;
  for (const change of changes) {
    for (const kind of change.changed) changed[kind] += 1;
    for (const sign of change.signs) signs[sign] += 1;
    add(together, change.changed.join("+"));
    const { effect } = change;
    if (effect === null) {
      if (change.unjudged !== null) unjudged[change.unjudged] += 1;
      continue;
    }
    if (change.changed.includes("gold")) {
      goldsRun += 1;
      results[effect.result ?? "not_comparable"] += 1;
    }
    if (effect.moved.length > 0) verdicts.questions += 1;
    for (const { system, before, after } of effect.moved) {
      const turn = before === 1 ? "rightToWrong" : after === 1 ? "wrongToRight" : "other";
      verdicts[turn] += 1;
      const sums = systems.get(system) ?? { wrongToRight: 0, rightToWrong: 0 };
      if (turn !== "other") sums[turn] += 1;
      systems.set(system, sums);
    }
  }
  return {
    ...outer,
    changedQuestions: changes.length,
    changed,
    together: Object.fromEntries([...together].sort((left, right) => right[1] - left[1])),
    goldsRun,
    results,
    signs,
    unjudged,
    verdicts,
    systems: Object.fromEntries(systems),
  };
}

function emptySigns(): Record<ChangeSign, number> {
  return {
    stops_running: 0,
    becomes_empty: 0,
    still_failing: 0,
    against_consensus: 0,
    no_op_text: 0,
    no_op_result: 0,
    starts_running: 0,
    becomes_filled: 0,
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
