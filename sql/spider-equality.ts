/**
 * Whether two parts of Spider queries are the same: field by field, in order, as Python compares the official parses.
 * A NaN equals nothing, itself included; 0 equals -0. The nesting of both must be bounded, as the parser's is.
 */
export function areSameSpiderParts(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return left === right;
  }
  const leftEntries = Object.entries(left);
  const rightFields = new Map(Object.entries(right));
  return (
    leftEntries.length === rightFields.size &&
    leftEntries.every(
      ([name, value]) => rightFields.has(name) && areSameSpiderParts(value, rightFields.get(name)),
    )
  );
}

/** How many items of `predicted` find a partner of their own among `gold`; the order does not matter. */
export function countSameSpiderParts(predicted: readonly unknown[], gold: readonly unknown[]): number {
  const rest = [...gold];
  let found = 0;
  for (const part of predicted) {
    const index = rest.findIndex((candidate) => areSameSpiderParts(candidate, part));
    if (index === -1) continue;
    rest.splice(index, 1);
    found += 1;
  }
  return found;
}

/** `parts` with each part once, the first of its like. */
export function distinctSpiderParts<T>(parts: readonly T[]): T[] {
  const distinct: T[] = [];
  for (const part of parts) {
    if (!distinct.some((known) => areSameSpiderParts(known, part))) distinct.push(part);
  }
  return distinct;
}
