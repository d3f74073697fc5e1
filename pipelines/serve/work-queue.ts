/** How much is done at once, and how much may wait for it. */
export interface WorkLimits {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
}

/** Places that were given on before the list of those that wait is made short again. */
const COMPACTED_AT = 1_024;

/** Work that takes turns: so much at a time, so much may wait, and no more is taken. */
export class WorkQueue {
  readonly #limits: WorkLimits;
  readonly #waiting: (() => void)[] = [];
  #first = 0;
  #inFlight = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Whether one more piece of work would neither be done now nor fit among those that wait. */
  get isFull(): boolean {
    return this.#inFlight >= this.#limits.maxInFlight && this.waiting >= this.#limits.maxWaiting;
  }

  /** Does a piece of work when it is its turn; ask {@link isFull} first. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#inFlight >= this.#limits.maxInFlight) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#inFlight += 1;
    }
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  /** The place of what has ended goes to what has waited longest. */
  #passOn(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#inFlight -= 1;
      return;
    }
    this.#first += 1;
    if (this.#first > COMPACTED_AT) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    next();
  }
}
