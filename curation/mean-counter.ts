/** A sum and a count: the mean of numbers of which some are not known. */
export class MeanCounter {
  #count = 0;
  #sum = 0;

  /** Adds a number; `null` is not counted. */
  add(value: number | null): void {
    if (value === null) return;
    this.#count += 1;
    this.#sum += value;
  }

  get count(): number {
    return this.#count;
  }

  /** `null` of none. */
  get mean(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count;
  }
}

/** Counts by name. */
export class NameCounter {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Names with their counts: those of `order` first, the others by code unit. */
  record(order: readonly string[] = []): Record<string, number> {
    const others = [...this.#counts.keys()].filter((name) => !order.includes(name)).sort();
    const names = [...order.filter((name) => this.#counts.has(name)), ...others];
    return Object.fromEntries(names.map((name) => [name, this.#counts.get(name) ?? 0]));
  }
}
