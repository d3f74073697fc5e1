import { z } from "zod";
import { Reject } from "../../core/reject.ts";
import { defineStage } from "../../core/stage.ts";
import type { Reporter, StepReport } from "../../pipelines/reporter.ts";

/** A word with its place in the text that it came from. */
export const Word = z.strictObject({ word: z.string(), place: z.int().nonnegative() });

export const DroppedWord = z.strictObject({ word: z.string(), reason: z.string() });

/** Splits `text` into words at spaces; a word with a digit is a reject. Reads no rows. */
export const wordsStage = defineStage({
  name: "words",
  version: 1,
  inputs: {},
  outputs: { words: Word, rejects: Reject },
  options: z.strictObject({ text: z.string(), upper: z.boolean().default(false) }),
  runtime: z.strictObject({ concurrency: z.int().positive().default(1) }),
  async *run({ options }) {
    for (const [place, word] of options.text.split(" ").entries()) {
      if (/\d/.test(word)) {
        const row = { rowId: `word ${place}`, code: "WORD_HAS_DIGIT", message: `got ${word}` };
        yield { port: "rejects", row } as const;
      } else {
        yield { port: "words", row: { word: options.upper ? word.toUpperCase() : word, place } } as const;
      }
    }
  },
});

/** Keeps words of at least `letters` letters. */
export const longWordsStage = defineStage({
  name: "long-words",
  version: 1,
  inputs: { words: Word },
  outputs: { kept: Word, dropped: DroppedWord },
  options: z.strictObject({ letters: z.int().default(3) }),
  balances: [{ input: "words", outputs: ["kept", "dropped"] }],
  async *run({ inputs, options, context }) {
    for await (const row of inputs.words()) {
      context.progress(row.place + 1);
      if (row.word.length >= options.letters) yield { port: "kept", row } as const;
      else yield { port: "dropped", row: { word: row.word, reason: "too_short" } } as const;
    }
  },
});

/** Remembers what it hears, a line each. */
export class ListeningReporter implements Reporter {
  readonly heard: string[] = [];

  stepStarted(id: string, changed: readonly string[]): void {
    this.heard.push(`${id} started${changed.map((line) => `; ${line}`).join("")}`);
  }

  progress(id: string, done: number, total: number | undefined): void {
    this.heard.push(`${id} ${done} of ${total ?? "?"}`);
  }

  warn(id: string, message: string): void {
    this.heard.push(`${id} warns: ${message}`);
  }

  stepFinished(report: StepReport): void {
    this.heard.push(`${report.id} ${report.status}`);
  }
}
