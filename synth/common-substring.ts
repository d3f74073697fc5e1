/** Where the longest common part of a text and another stands in the other, in UTF-16 units. */
export interface CommonSubstring {
  readonly start: number;
  readonly length: number;
}

/** A set of positions of the text after which the same strings end: a state of its suffix automaton. */
interface State {
  /** Of the longest string that ends here. */
  readonly length: number;
  /** The state of the longest of its ends that occurs elsewhere too; -1 for none. */
  link: number;
  readonly next: Map<number, number>;
}

/**
 * A text prepared to find what it has in common with many others: built in time linear in the text (a suffix
 * automaton), asked in time linear in the other. Compares UTF-16 units as they are.
 */
export class SubstringFinder {
  readonly #states: State[] = [{ length: 0, link: -1, next: new Map() }];
  #last = 0;

  constructor(text: string) {
    for (let place = 0; place < text.length; place += 1) this.#append(text.charCodeAt(place));
  }

  /** The longest string that is part of both, the first of several in `other`. */
  longestIn(other: string): CommonSubstring {
    let best: CommonSubstring = { start: 0, length: 0 };
    let state = 0;
    let length = 0;
    for (let place = 0; place < other.length; place += 1) {
      const unit = other.charCodeAt(place);
      while (state > 0 && !this.#at(state).next.has(unit)) {
        state = this.#at(state).link;
        length = this.#at(state).length;
      }
      const following = this.#at(state).next.get(unit);
      if (following === undefined) continue;
      state = following;
      length += 1;
      if (length > best.length) best = { start: place + 1 - length, length };
    }
    return best;
  }

  #append(unit: number): void {
    const added = this.#states.length;
    this.#states.push({ length: this.#at(this.#last).length + 1, link: 0, next: new Map() });
    let state = this.#last;
    while (state !== -1 && !this.#at(state).next.has(unit)) {
      this.#at(state).next.set(unit, added);
      state = this.#at(state).link;
    }
    this.#last = added;
    if (state === -1) return;
    const met = this.#at(state).next.get(unit) ?? 0;
    this.#at(added).link =
      this.#at(met).length === this.#at(state).length + 1 ? met : this.#split(state, met, unit);
  }

  /** Parts from the state `met` the strings that go on from `state`, and gives their new state. */
  #split(state: number, met: number, unit: number): number {
    const copy = this.#states.length;
    const { link, next } = this.#at(met);
    this.#states.push({ length: this.#at(state).length + 1, link, next: new Map(next) });
    for (let from = state; from !== -1 && this.#at(from).next.get(unit) === met; from = this.#at(from).link) {
      this.#at(from).next.set(unit, copy);
    }
    this.#at(met).link = copy;
    return copy;
  }

  #at(state: number): State {
    return this.#states[state] as State;
  }
}
