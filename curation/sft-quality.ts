import path from "node:path";
import { z } from "zod";
import { PassedOverTrajectory, SplitExample } from "../core/rows.ts";
import { ExportRow } from "../core/shard.ts";
import { defineStage } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { writeWhole } from "../io/files.ts";
import { QualityFigures, type QualityTable, qualityText, type SampleToRead } from "./sft-quality-figures.ts";

/** Reasons of trajectories that were not right, or not among the questions. */
const NOT_RIGHT = /^(?:example_dropped|no_answer|unscored|wrong|leak_.*)$/;
const SAMPLES_TO_READ = 3;

/**
 * What an SFT set is like: `after`, its rows, against `before`, every right trajectory of the round that they were
 * chosen from. Written as `quality.json` and `quality.md`.
 */
export const sftQualityStage = defineStage({
  name: "sft-quality",
  version: 1,
  inputs: { rows: ExportRow, kept: SplitExample, passedOver: PassedOverTrajectory, trajectories: Trajectory },
  outputs: { summary: z.strictObject({ set: z.string(), figures: z.json() }) },
  options: z.strictObject({}),
  async *run({ inputs, context }) {
    const places = new Map<string, SplitExample>();
    for await (const row of inputs.kept()) places.set(row.exampleId, row);
    const wrong = new Set<string>();
    for await (const { trajectoryId, reason } of inputs.passedOver())
      if (NOT_RIGHT.test(reason)) wrong.add(trajectoryId);
    const before = new QualityFigures();
    for await (const trajectory of inputs.trajectories()) {
      const place = places.get(trajectory.exampleId);
      if (place === undefined || wrong.has(trajectory.id)) continue;
      before.add(trajectory, place);
    }
    const after = new QualityFigures();
    const toRead: SampleToRead[] = [];
    for await (const { trajectory, hardness, example } of inputs.rows()) {
      if (trajectory === null) continue;
      after.add(trajectory, { hardness, databaseId: example.databaseId });
      const taken = toRead.some((sample) => sample.hardness === (hardness ?? "unknown"));
      if (!taken && toRead.length < SAMPLES_TO_READ) {
        toRead.push({ hardness: hardness ?? "unknown", question: example.question, trajectory });
      }
    }
    const tables: Readonly<Record<string, QualityTable>> = { before: before.table(), after: after.table() };
    await writeWhole(path.join(context.folder, "quality.json"), `${JSON.stringify(tables, null, 2)}\n`);
    await writeWhole(path.join(context.folder, "quality.md"), qualityText(tables, toRead));
    for (const [set, table] of Object.entries(tables)) {
      yield { port: "summary", row: { set, figures: z.json().parse(table) } } as const;
    }
  },
});
