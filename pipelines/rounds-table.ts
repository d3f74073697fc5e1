import path from "node:path";
import { z } from "zod";
import { ArtifactStore } from "../io/artifact-store.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { readLatest } from "./run-folder.ts";
import { readRoundModel } from "./trained-model.ts";

/** A round as it counts. `covered` and `trajectories` are of all rounds so far. */
export interface RoundRow {
  readonly round: number;
  /** Questions of the whole set. */
  readonly examples: number;
  /** Questions that were asked in this round. */
  readonly asked: number;
  /** Questions with a kept trajectory. */
  readonly covered: number;
  readonly trajectories: number;
  /** Questions of this round whose class no right rollout fits, so that the nearest stood in. */
  readonly fallbacks: number;
  /** The checkpoint that answered, of a round after the first. */
  readonly revision: string | null;
}

/** Where a round lies: the first in the run's own folder, later ones below `rounds/`. */
export function roundFolder(base: string, round: number): string {
  return round === 1 ? base : path.join(base, "rounds", String(round));
}

const RowExample = z.object({ example: z.object({ id: z.string() }) });

/** The finished rounds of a run, read from their artifacts. */
export async function roundTable(base: string): Promise<RoundRow[]> {
  const rows: RoundRow[] = [];
  let examples = 0;
  for (let round = 1; ; round += 1) {
    const folder = roundFolder(base, round);
    const latest = await readLatest(folder);
    const store = new ArtifactStore(path.join(folder, "artifacts"));
    const kept = await store.find("rows-sft", latest["rows-sft"] ?? "");
    const filtered = await store.find("filter-sft", latest["filter-sft"] ?? "");
    const rejected = await store.find("reject", latest["reject"] ?? "");
    if (kept === undefined || filtered === undefined || rejected === undefined) return rows;
    const { outputs } = filtered.manifest;
    const asked = (outputs["kept"]?.rows ?? 0) + (outputs["dropped"]?.rows ?? 0);
    if (round === 1) examples = asked;
    const covered = new Set<string>();
    let trajectories = 0;
    for await (const { value } of readJsonLines(path.join(kept.folder, "rows.jsonl"))) {
      covered.add(RowExample.parse(value).example.id);
      trajectories += 1;
    }
    const groups = rejected.manifest.outputs["questions"]?.groups ?? {};
    const fallbacks = (groups["easy_fallback"] ?? 0) + (groups["hard_fallback"] ?? 0);
    const model = round === 1 ? null : await readRoundModel(folder);
    rows.push({
      round,
      examples,
      asked,
      covered: covered.size,
      trajectories,
      fallbacks,
      revision: model?.revision ?? null,
    });
  }
}

/** The table of rounds for a person. */
export function renderRounds(rows: readonly RoundRow[]): string {
  const header = ["round", "asked", "covered", "of", "share", "trajectories", "fallbacks", "revision"];
  const cells = rows.map((row) => [
    String(row.round),
    String(row.asked),
    String(row.covered),
    String(row.examples),
    `${((100 * row.covered) / Math.max(1, row.examples)).toFixed(1)}%`,
    String(row.trajectories),
    String(row.fallbacks),
    row.revision ?? "as configured",
  ]);
  const widths = header.map((name, column) =>
    Math.max(name.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  return [header, ...cells]
    .map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "))
    .join("\n");
}
