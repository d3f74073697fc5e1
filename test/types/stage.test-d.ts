import { z } from "zod";
import { defineStage } from "../../core/stage.ts";

/**
 * Checked by the compiler alone: each mark below stands before a mistake that must not compile. A mistake
 * that compiles leaves its mark unused, which is an error.
 */
const Word = z.strictObject({ word: z.string() });
const Count = z.strictObject({ count: z.int() });

const contract = {
  name: "count-letters",
  version: 1,
  inputs: { words: Word },
  outputs: { counts: Count, rejects: Word },
  options: z.strictObject({ letter: z.string() }),
  runtime: z.strictObject({ concurrency: z.int() }),
};

export const right = defineStage({
  ...contract,
  balances: [{ input: "words", outputs: ["counts", "rejects"] }],
  async *run({ inputs, options, runtime, context }) {
    for await (const { word } of inputs.words()) {
      context.progress(word.indexOf(options.letter), runtime.concurrency);
      yield { port: "counts", row: { count: word.length } } as const;
    }
  },
});

export const wrongPort = defineStage({
  ...contract,
  // @ts-expect-error: there is no port "numbers"
  async *run() {
    yield { port: "numbers", row: { count: 1 } } as const;
  },
});

export const wrongRow = defineStage({
  ...contract,
  // @ts-expect-error: a count is a number
  async *run() {
    yield { port: "counts", row: { count: "1" } } as const;
  },
});

export const rowOfAnotherPort = defineStage({
  ...contract,
  // @ts-expect-error: a word does not leave by "counts"
  async *run() {
    yield { port: "counts", row: { word: "a" } } as const;
  },
});

export const wrongInput = defineStage({
  ...contract,
  async *run({ inputs }) {
    // @ts-expect-error: there is no port "letters"
    yield* inputs.letters();
  },
});

export const wrongInputRow = defineStage({
  ...contract,
  async *run({ inputs }) {
    for await (const row of inputs.words()) {
      // @ts-expect-error: a word has no count
      yield { port: "counts", row: { count: row.count } } as const;
    }
  },
});

export const wrongRuntime = defineStage({
  ...contract,
  async *run({ runtime }) {
    // @ts-expect-error: a root was not declared
    yield { port: "rejects", row: { word: runtime.root } } as const;
  },
});

export const wrongOption = defineStage({
  ...contract,
  // @ts-expect-error: a letter is no number
  async *run({ options }) {
    yield { port: "counts", row: { count: options.letter } } as const;
  },
});

export const wrongBalance = defineStage({
  ...contract,
  // @ts-expect-error: there is no port "numbers"
  balances: [{ input: "words", outputs: ["numbers"] }],
  async *run() {},
});
