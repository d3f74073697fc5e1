import { z } from "zod";
import { identityOf } from "./key.ts";

/** One earlier turn of a dialogue. `gold` is that turn's accepted SQL when known. */
export const DialogueTurn = z.strictObject({
  question: z.string(),
  gold: z.string().nullable(),
});
export type DialogueTurn = z.infer<typeof DialogueTurn>;

/** Which files a row came from: dataset, its named release, the split. Recorded beside every score. */
export const DatasetName = z.strictObject({
  name: z.string().min(1),
  release: z.string().min(1),
  split: z.string().min(1),
});
export type DatasetName = z.infer<typeof DatasetName>;

/**
 * A question, the dialogue that led to it, the database it is asked of, and the accepted gold SQL when
 * known. Plain frozen JSON.
 */
export const Example = z.strictObject({
  /** See {@link exampleId}. */
  id: z.string().length(32),
  dataset: DatasetName,
  /** The dataset's own name for the row: BIRD's `question_id`, else the 0-based position; `i:t` for turn t of dialogue i. */
  sourceId: z.string().min(1),
  databaseId: z.string().min(1),
  question: z.string(),
  /** BIRD's evidence, SynSQL's external knowledge; `null` where the dataset has none. */
  evidence: z.string().nullable(),
  /** Earlier turns, oldest first; empty for single-turn datasets. */
  history: z.array(DialogueTurn),
  /** `turn` is 0-based; `turns` counts the dialogue's questions. */
  dialogue: z
    .strictObject({ id: z.string(), turn: z.int().nonnegative(), turns: z.int().positive() })
    .nullable(),
  /** Accepted gold SQL, as published; empty when unknown. The first is the one shown. */
  gold: z.array(z.string()),
  /** The dataset's own difficulty label, if it has one. */
  difficulty: z.string().nullable(),
  /** The question this one paraphrases (Spider-Syn), if any. */
  paraphraseOf: z.string().nullable(),
  /** A published chain of thought (SynSQL), if any. */
  referenceReasoning: z.string().nullable(),
});
export type Example = z.infer<typeof Example>;

/** Everything of an Example but its identity. */
export type ExampleContent = Omit<Example, "id">;

/**
 * The identity of an example: what a model can be shown (database, question, evidence, history questions,
 * place in the dialogue) under its dataset and split, never gold, difficulty or release, so that a
 * corrected gold keeps the samples already paid for. `occurrence` numbers rows of identical content
 * within one load from 0, so inserting an unrelated row moves nothing.
 */
export function exampleId(content: ExampleContent, occurrence: number): string {
  return identityOf({
    dataset: content.dataset.name,
    split: content.dataset.split,
    databaseId: content.databaseId,
    question: content.question,
    evidence: content.evidence,
    history: content.history.map((turn) => turn.question),
    dialogue: content.dialogue === null ? null : { id: content.dialogue.id, turn: content.dialogue.turn },
    occurrence,
  });
}
