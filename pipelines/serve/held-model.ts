import type { GradusError } from "../../core/errors.ts";
import type { Model, ModelReply, ModelRequest } from "../../core/model.ts";

/** A request that waits for its reply. */
interface Asked {
  readonly request: ModelRequest;
  resolve(reply: ModelReply): void;
  reject(thrown: unknown): void;
}

/**
 * A model whose replies come from outside, one at a time: an episode that asks it stands still until somebody answers.
 * So the driver that plays sampled episodes plays those of a trainer too.
 */
export class HeldModel implements Model {
  readonly #onAsk: () => void;
  #asked: Asked | null = null;
  #ended: GradusError | null = null;

  /** `onAsk` hears of every request. */
  constructor(onAsk: () => void) {
    this.#onAsk = onAsk;
  }

  /** The request that waits; `null` while none does. */
  get request(): ModelRequest | null {
    return this.#asked?.request ?? null;
  }

  complete(request: ModelRequest): Promise<ModelReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#asked = { request, resolve, reject };
      this.#onAsk();
    });
  }

  /** Answers the request that waits; does nothing while none does. */
  answer(reply: ModelReply): void {
    const asked = this.#asked;
    this.#asked = null;
    asked?.resolve(reply);
  }

  /** Ends the episode with a failure: no further reply will come. */
  end(failure: GradusError): void {
    this.#ended ??= failure;
    const asked = this.#asked;
    this.#asked = null;
    asked?.reject(failure);
  }

  account() {
    return { requests: 0, retries: 0, promptTokens: 0, completionTokens: 0, costMicroUsd: 0 };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
