import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { sha256 } from "../core/key.ts";
import { digestFile, listFolder } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import type { TrainedModel } from "./trained-model.ts";

const LearnedRow = z.object({ example_id: z.string() });
/** Questions that bring a model half of what it can learn in one round. */
const HALF_LEARNED = 20;
/** The most of what it lacks that it learns in one round. */
const LEARNS = 0.5;

/** What a stand-in for a trainer learns from. */
export interface SimulatedTraining {
  /** A folder of shards: `<exporter>/train-….jsonl`. */
  readonly shards: string;
  readonly name: string;
  readonly competence: number;
}

/**
 * The simulated model after training: of what it lacks it learns a share that grows with the number of different
 * questions in the training shards, half of the most it can learn with 20. Its revision names what it was and the
 * shards that it learned from, and its name says its competence, so that a server elsewhere knows it too.
 * @throws SIMULATED_TRAINING_EMPTY for a folder without training rows in JSON Lines.
 */
export async function trainSimulated({ shards, name, competence }: SimulatedTraining): Promise<TrainedModel> {
  const learned = new Set<string>();
  const digests: string[] = [];
  for (const exporter of await listFolder(shards)) {
    for (const file of await listFolder(path.join(shards, exporter))) {
      if (!/^train-.*\.jsonl$/.test(file)) continue;
      const at = path.join(shards, exporter, file);
      digests.push((await digestFile(at)).sha256);
      for await (const { value } of readJsonLines(at)) learned.add(LearnedRow.parse(value).example_id);
    }
  }
  if (learned.size === 0) {
    throw new GradusError(
      "SIMULATED_TRAINING_EMPTY",
      `there are no training rows in JSON Lines below ${shards}`,
      {
        hint: "give the folder of a round's shards, with those of messages-sft",
      },
    );
  }
  const share = LEARNS * (learned.size / (learned.size + HALF_LEARNED));
  const next = Math.round((competence + (1 - competence) * share) * 1_000) / 1_000;
  return {
    revision: sha256([name, competence, ...digests].join("\n")).slice(0, 12),
    name: `${name.replace(/@[\d.]+$/, "")}@${next}`,
    competence: next,
  };
}
