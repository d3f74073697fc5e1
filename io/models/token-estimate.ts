/** Guesses the tokens of a request before the server counts them; learns from each count. For rate limits, not for money. */
export class TokenEstimate {
  #promptBytes = 0;
  #promptTokens = 0;
  #completions = 0;
  #completionTokens = 0;

  /** Prompt tokens by the bytes a token has had so far (4 before any), completion tokens by their mean so far. */
  of(promptBytes: number, maxTokens: number): number {
    const bytesPerToken = this.#promptTokens === 0 ? 4 : this.#promptBytes / this.#promptTokens;
    const completion =
      this.#completions === 0 ? maxTokens : Math.min(maxTokens, this.#completionTokens / this.#completions);
    return Math.ceil(promptBytes / bytesPerToken + completion);
  }

  /** Takes in what the server counted. */
  learn(promptBytes: number, promptTokens: number, completionTokens: number): void {
    this.#promptBytes += promptBytes;
    this.#promptTokens += promptTokens;
    this.#completions += 1;
    this.#completionTokens += completionTokens;
  }
}
