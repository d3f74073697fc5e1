import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { canonicalJson } from "../core/key.ts";
import { kindOf, readText, writeWhole } from "../io/files.ts";
import type { ModelRole } from "./config.ts";

/** The checkpoint that a round is asked of, as a trainer or a person names it. */
export const TrainedModel = z.strictObject({
  /** Tells it from the checkpoint before. */
  revision: z.string().min(1),
  /** The name its server knows it by, where that is another. */
  name: z.string().min(1).optional(),
  /** Where it is served, where that is elsewhere. */
  baseUrl: z.url().optional(),
  /** Of a simulated model, from 0 to 1. */
  competence: z.number().min(0).max(1).optional(),
});
export type TrainedModel = z.infer<typeof TrainedModel>;

/** What a trainer printed, or a file that it wrote, as a model. @throws TRAINER_RESULT_INVALID. */
export function readTrainedModel(text: string, where: string): TrainedModel {
  const line = text.trim().split("\n").at(-1) ?? "";
  const parsed = TrainedModel.safeParse(jsonOf(text.trim()) ?? jsonOf(line));
  if (parsed.success) return parsed.data;
  throw new GradusError(
    "TRAINER_RESULT_INVALID",
    `${where} does not name the new model: got ${JSON.stringify(line.slice(0, 200))}, expected {"revision": "…", "baseUrl": "…"} (${z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ")})`,
    { hint: "print one JSON object as the last line, or write it to the file that trainer.result names" },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A role with its new checkpoint. */
export function withCheckpoint(
  role: ModelRole,
  { revision, name, baseUrl, competence }: TrainedModel,
): ModelRole {
  const client = baseUrl === undefined ? role.client : { ...role.client, baseUrl, baseUrls: null };
  const served = { ...role, revision, name: name ?? role.name, client };
  if (served.provider !== "simulated" || competence === undefined) return served;
  return { ...served, competence };
}

/** The model of a round, once it is settled. */
export async function readRoundModel(roundFolder: string): Promise<TrainedModel | null> {
  const file = path.join(roundFolder, "model.json");
  if ((await kindOf(file)) !== "file") return null;
  return readTrainedModel(await readText(file), file);
}

/** Settles the model of a round, whole. */
export async function writeRoundModel(roundFolder: string, model: TrainedModel): Promise<void> {
  await writeWhole(path.join(roundFolder, "model.json"), `${canonicalJson(model)}\n`);
}
