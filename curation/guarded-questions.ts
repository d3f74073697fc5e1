import type { Example } from "../core/example.ts";
import type { GuardOptions } from "./guard-options.ts";
import { QuestionIndex, type QuestionWeights } from "./question-index.ts";
import { questionWords, sameQuestionKey } from "./question-words.ts";

/** Why an example may not be trained on: a bucket, and what it would give away. */
export interface Leak {
  readonly reason: "guard_database" | "guard_question" | "guard_dialogue" | "guard_near_question";
  readonly message: string;
}

interface Guarded {
  readonly name: string;
  readonly databaseId: string;
  readonly question: string;
}

/** What a set of examples knows of the splits that are not to be trained on. */
export class GuardedQuestions {
  readonly #options: GuardOptions;
  readonly #guarded: readonly Guarded[];
  readonly #byKey = new Map<string, Guarded[]>();
  readonly #databases = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #index: QuestionIndex | null;

  /** `digests`: of the guarded databases that could be read, by id. */
  constructor(
    examples: readonly Pick<Example, "dataset" | "sourceId" | "databaseId" | "question">[],
    digests: ReadonlyMap<string, string>,
    { options, weights }: { readonly options: GuardOptions; readonly weights: QuestionWeights },
  ) {
    this.#options = options;
    this.#guarded = examples.map(({ dataset, sourceId, databaseId, question }) => ({
      name: `${dataset.name}/${dataset.split} ${sourceId}`,
      databaseId,
      question,
    }));
    for (const guarded of this.#guarded) {
      this.#databases.set(guarded.databaseId, guarded.name);
      const key = sameQuestionKey(guarded.question);
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), guarded]);
    }
    for (const [databaseId, digest] of digests) this.#digests.set(digest, databaseId);
    const texts = this.#guarded.map(({ question }) => question);
    this.#index = options.near === null ? null : new QuestionIndex(texts, weights);
  }

  /** The first leak of an example, by itself; `digest`: of its database, empty where it has none. */
  leakOf(example: Example, digest: string): Leak | null {
    const { databases, questions } = this.#options;
    const leak = databases ? this.#databaseLeak(example.databaseId, digest) : null;
    if (leak !== null) return leak;
    const texts = [example.question, ...(example.paraphraseOf === null ? [] : [example.paraphraseOf])];
    for (const text of questions ? texts : []) {
      const same = this.#same(text, example.databaseId);
      if (same !== undefined) return { reason: "guard_question", message: `it asks ${told(same)}` };
    }
    for (const { question } of questions ? example.history : []) {
      const same = this.#same(question, example.databaseId);
      if (same !== undefined) {
        return { reason: "guard_dialogue", message: `an earlier turn that it shows asks ${told(same)}` };
      }
    }
    return this.#nearLeak(example.question);
  }

  #databaseLeak(databaseId: string, digest: string): Leak | null {
    const name = this.#databases.get(databaseId);
    if (name !== undefined) {
      return { reason: "guard_database", message: `its database ${databaseId} is that of ${name}` };
    }
    const other = digest === "" ? undefined : this.#digests.get(digest);
    if (other === undefined) return null;
    const message = `its database ${databaseId} is the guarded database ${other} under another name`;
    return { reason: "guard_database", message };
  }

  /** A guarded question of the same words; short ones are asked of any database and count on their own only. */
  #same(question: string, databaseId: string): Guarded | undefined {
    const found = this.#byKey.get(sameQuestionKey(question)) ?? [];
    const isShort = questionWords(question).length < this.#options.minimumWords;
    return found.find((guarded) => !isShort || guarded.databaseId === databaseId);
  }

  #nearLeak(question: string): Leak | null {
    const { near } = this.#options;
    const found = near === null ? null : (this.#index?.nearest(question) ?? null);
    if (near === null || found === null || found.similarity < near.threshold) return null;
    const guarded = this.#guarded[found.place] as Guarded;
    const message = `its question is like (${found.similarity.toFixed(2)}) ${told(guarded)}`;
    return { reason: "guard_near_question", message };
  }
}

function told({ name, question }: Guarded): string {
  return `what ${name} asks: ${JSON.stringify(question)}`;
}
