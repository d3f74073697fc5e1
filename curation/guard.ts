import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { DroppedExample, KeptExample } from "../core/rows.ts";
import { defineStage, type Rows } from "../core/stage.ts";
import { GuardOptions } from "./guard-options.ts";
import { GuardedQuestions, type Leak } from "./guarded-questions.ts";
import { mergeByExample } from "./merge-by-example.ts";
import { QuestionWeights } from "./question-index.ts";

/**
 * Keeps what was declared as test or validation out of training: examples on a guarded database, with a guarded
 * question, with a paraphrase of one, or of a dialogue with such a turn are dropped, with the guarded question that
 * they give away. @throws GUARD_EMPTY where the declared splits have no question. Holds the guarded questions and word counts in memory, and of the rest the dialogues that leak.
 */
export const guardStage = defineStage({
  name: "guard",
  version: 1,
  inputs: {
    kept: KeptExample,
    examples: Example,
    databases: Database,
    guarded: Example,
    guardedDatabases: Database,
  },
  outputs: { kept: KeptExample, dropped: DroppedExample },
  options: GuardOptions,
  balances: [{ input: "kept", outputs: ["kept", "dropped"] }],
  async *run({ inputs, options, context }) {
    const weights = new QuestionWeights();
    for (const rows of [inputs.examples, inputs.guarded]) {
      for await (const { question } of rows()) weights.add(question);
    }
    const questions = await allOf(inputs.guarded);
    if (questions.length === 0) throw nothingToGuard();
    const guarded = new GuardedQuestions(questions, await digestsOf(inputs.guardedDatabases), {
      options,
      weights,
    });
    const digests = await digestsOf(inputs.databases);
    const leaks = new Map<string, Leak>();
    const dialogues = new Map<string, string>();
    const merged = (): ReturnType<typeof mergeKept> => mergeKept(inputs.examples, inputs.kept);
    for await (const { leader: example, position, total, rows } of merged()) {
      context.signal.throwIfAborted();
      context.progress(position + 1, total);
      const leak =
        rows.kept.length === 0 ? null : guarded.leakOf(example, digests.get(example.databaseId) ?? "");
      if (leak === null) continue;
      leaks.set(example.id, leak);
      const dialogue = dialogueOf(example);
      if (dialogue !== null) dialogues.set(dialogue, example.sourceId);
    }
    for await (const { leader: example, rows } of merged()) {
      const [row] = rows.kept;
      if (row === undefined) continue;
      const leak = leaks.get(example.id) ?? dialogueLeak(dialogues.get(dialogueOf(example) ?? ""));
      if (leak === null) {
        yield { port: "kept", row } as const;
        continue;
      }
      const { exampleId, sourceId, databaseId } = row;
      yield { port: "dropped", row: { exampleId, sourceId, databaseId, ...leak } } as const;
    }
  },
});

function nothingToGuard(): GradusError {
  return new GradusError("GUARD_EMPTY", "the splits that are to be guarded have no question, expected some", {
    hint: "check the files of `guard.against`: a guard without questions would let everything pass",
  });
}

function mergeKept(examples: Rows<Example>, kept: Rows<KeptExample>) {
  return mergeByExample(examples, ({ id }) => id, { kept });
}

function dialogueLeak(turn: string | undefined): Leak | null {
  if (turn === undefined) return null;
  return { reason: "guard_dialogue", message: `turn ${turn} of its dialogue gives a guarded question away` };
}

function dialogueOf({ dataset, dialogue }: Example): string | null {
  return dialogue === null ? null : JSON.stringify([dataset.name, dataset.split, dialogue.id]);
}

async function allOf<T>(rows: Rows<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows()) all.push(row);
  return all;
}

async function digestsOf(databases: Rows<Database>): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for await (const { databaseId, digest } of databases()) if (digest !== "") digests.set(databaseId, digest);
  return digests;
}
