import type { Example } from "../core/example.ts";
import type { ShownTurn } from "../core/tool.ts";

/**
 * The answers of a dialogue's earlier turns as history of the later ones: sample i of a turn sees what sample
 * i of the turns before answered. Turns must be told in order. A turn that was not sampled is shown without
 * SQL.
 * @paper MTSQL-R1, evaluation with the model's own history
 */
export class PredictedHistory {
  /** Answers by rollout, sample and dialogue; each with those of the turns before it. */
  readonly #turns = new Map<
    string,
    { readonly turn: number; readonly shown: Promise<readonly ShownTurn[]> }
  >();

  /**
   * The history that a sample of an example sees, and what it then answers: call it once for each sample, in
   * the order of the dialogue's turns. `answer` resolves to the sample's SQL, `null` for none; its failure is
   * the later turns' failure.
   */
  async take<T>(
    example: Example,
    place: { readonly rollout: number; readonly sampleIndex: number },
    answer: (history: readonly ShownTurn[]) => Promise<{ readonly value: T; readonly sql: string | null }>,
  ): Promise<T> {
    const { dialogue } = example;
    if (dialogue === null) return (await answer(withoutSql(example))).value;
    const key = JSON.stringify([place.rollout, place.sampleIndex, example.dataset.name, dialogue.id]);
    const before = this.#turns.get(key);
    const history =
      before === undefined || before.turn >= dialogue.turn
        ? Promise.resolve(withoutSql(example))
        : before.shown.then((shown) => alignedTo(example, shown));
    const answered = history.then(answer);
    const shown = Promise.all([history, answered]).then(([earlier, { sql }]) => [
      ...earlier,
      { question: example.question, sql },
    ]);
    shown.catch(() => undefined);
    if (dialogue.turn + 1 < dialogue.turns) this.#turns.set(key, { turn: dialogue.turn, shown });
    else this.#turns.delete(key);
    return (await answered).value;
  }
}

function withoutSql(example: Example): readonly ShownTurn[] {
  return example.history.map(({ question }) => ({ question, sql: null }));
}

/** The example's own earlier questions, with the answers of those that were sampled. */
function alignedTo(example: Example, shown: readonly ShownTurn[]): readonly ShownTurn[] {
  return example.history.map(({ question }, turn) => ({
    question,
    sql: shown[turn]?.question === question ? (shown[turn]?.sql ?? null) : null,
  }));
}
