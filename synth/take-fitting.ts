/**
 * The first items that fit into `maxCharacters` together, one character between two of them; stops at the
 * first that does not fit. `charactersLeft` is what is not used up.
 */
export function takeFitting<T>(
  items: Iterable<T>,
  maxCharacters: number,
  charactersOf: (item: T) => number,
): { readonly taken: readonly T[]; readonly charactersLeft: number } {
  const taken: T[] = [];
  let charactersLeft = maxCharacters;
  for (const item of items) {
    const characters = charactersOf(item) + (taken.length === 0 ? 0 : 1);
    if (characters > charactersLeft) break;
    charactersLeft -= characters;
    taken.push(item);
  }
  return { taken, charactersLeft };
}
