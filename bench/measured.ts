/** A figure that a benchmark prints: a ratio within one run, or a rate with what it was held against. */
export interface Measured {
  readonly name: string;
  readonly value: string;
}
