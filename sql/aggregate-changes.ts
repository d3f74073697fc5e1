/** An aggregate of gold and one of the prediction that have the same argument: `max(a)` and `min(a)`. */
export interface AggregateChange {
  /** What both are of, `distinct` left out: `t.a`, `*`. */
  readonly argument: string;
  readonly gold: string;
  readonly predicted: string;
  /** Whether DISTINCT is all that differs. */
  readonly isDistinctOnly: boolean;
}

interface Call {
  readonly text: string;
  readonly name: string;
  readonly argument: string;
}

const CALL = /^([^\s("]+)\((?:distinct )?(.*)\)$/su;

/** Pairs what only gold has with what only the prediction has, by argument; of several of one argument in their order. */
export function aggregateChanges(missing: readonly string[], extra: readonly string[]): AggregateChange[] {
  const others = extra.map(callOf);
  return missing.map(callOf).flatMap((gold) => {
    const candidates = others.filter(({ argument }) => argument === gold.argument);
    const predicted = candidates.find(({ name }) => name === gold.name) ?? candidates[0];
    if (predicted === undefined) return [];
    others.splice(others.indexOf(predicted), 1);
    const isDistinctOnly = predicted.name === gold.name;
    return [{ argument: gold.argument, gold: gold.text, predicted: predicted.text, isDistinctOnly }];
  });
}

function callOf(text: string): Call {
  const [, name = text, argument = ""] = CALL.exec(text) ?? [];
  return { text, name, argument };
}
