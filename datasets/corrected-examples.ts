import type { GradusError } from "../core/errors.ts";
import type { DialogueTurn, Example, ExampleContent } from "../core/example.ts";
import { ExampleBuilder } from "./example-builder.ts";
import { correctedGold, correctedText, refuse } from "./correction-rules.ts";
import type { PlacedCorrection } from "./read-corrections.ts";

/** An example as its corrections leave it. */
export interface CorrectedExample {
  readonly example: Example;
  /** Its identity before; the same unless something that a model sees has changed. */
  readonly before: Example;
  /** The corrections that were applied to it, in their order. */
  readonly applied: readonly PlacedCorrection[];
}

/**
 * Applies corrections to the examples of one load, in their order. Corrections of other datasets and splits are passed
 * over. Several corrections of one field follow one another; `before: null` adds a gold, `after: null` takes one away.
 * What later turns of a dialogue show of a corrected turn changes with it. Identities are made anew, so that an example
 * keeps its own where nothing that a model sees has changed.
 * @throws CORRECTION_STALE, CORRECTION_CONFLICT naming file, line and what is there now.
 * @throws CORRECTION_EXAMPLE_UNKNOWN at the end, for a correction of a question that did not come; not with `isPartial`.
 */
export async function* correctedExamples(
  examples: AsyncIterable<Example>,
  corrections: readonly PlacedCorrection[],
  isPartial = true,
): AsyncGenerator<CorrectedExample> {
  const waiting = new Map<string, PlacedCorrection[]>();
  for (const placed of corrections) {
    const { dataset, split, sourceId } = placed.correction;
    const key = keyOf(dataset, split, sourceId);
    waiting.set(key, [...(waiting.get(key) ?? []), placed]);
  }
  const met = new Set<string>();
  const datasets = new Set<string>();
  const builder = new ExampleBuilder();
  const dialogue = new CorrectedDialogue();
  for await (const before of examples) {
    const { name, split } = before.dataset;
    datasets.add(JSON.stringify([name, split]));
    const key = keyOf(name, split, before.sourceId);
    met.add(key);
    const applied = waiting.get(key) ?? [];
    const { id: _, ...content } = before;
    const corrected = dialogue.follow(before, correctedContent(content, applied));
    yield { example: builder.build(corrected), before, applied };
  }
  if (isPartial) return;
  for (const [key, [placed]] of waiting) {
    if (placed === undefined || met.has(key)) continue;
    const { dataset, split } = placed.correction;
    if (datasets.has(JSON.stringify([dataset, split]))) throw unknownExample(placed);
  }
}

function keyOf(dataset: string, split: string, sourceId: string): string {
  return JSON.stringify([dataset, split, sourceId]);
}

function correctedContent(content: ExampleContent, placed: readonly PlacedCorrection[]): ExampleContent {
  if (placed.length === 0) return content;
  const of = (field: string): PlacedCorrection[] =>
    placed.filter(({ correction }) => correction.field === field);
  return {
    ...content,
    question: correctedText(content.question, of("question")) ?? content.question,
    evidence: correctedText(content.evidence, of("evidence")),
    gold: correctedGold(content.gold, of("gold")),
  };
}

/** Carries what a turn was corrected to into the history of the turns after it. */
class CorrectedDialogue {
  #id: string | null = null;
  #turns = new Map<number, DialogueTurn>();

  follow(before: Example, content: ExampleContent): ExampleContent {
    const { dialogue } = before;
    if (dialogue === null) return content;
    const id = JSON.stringify([before.dataset.name, before.dataset.split, dialogue.id]);
    if (id !== this.#id) {
      this.#id = id;
      this.#turns = new Map();
    }
    const history = content.history.map((turn, index) => this.#turns.get(index) ?? turn);
    if (content.question !== before.question || content.gold[0] !== before.gold[0]) {
      this.#turns.set(dialogue.turn, { question: content.question, gold: content.gold[0] ?? null });
    }
    return { ...content, history };
  }
}

function unknownExample(placed: PlacedCorrection): GradusError {
  const { dataset, split, sourceId } = placed.correction;
  return refuse("CORRECTION_EXAMPLE_UNKNOWN", placed, {
    problem: `${dataset} ${split} has no question "${sourceId}"`,
    hint: "sourceId is the dataset's own name of the question: question_id, the place from 0, or dialogue:turn",
  });
}
