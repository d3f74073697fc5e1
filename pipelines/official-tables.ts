import type { z } from "zod";
import { Example } from "../core/example.ts";
import { GoldRow, ScoredSample } from "../core/rows.ts";
import type { Rows } from "../core/stage.ts";
import { type ModelName, Trajectory } from "../core/trajectory.ts";
import { BIRD_DIFFICULTIES } from "../curation/bird-difficulty.ts";
import { systemKeyOf } from "../curation/dialogue-samples.ts";
import { mergeByExample } from "../curation/merge-by-example.ts";
import { type OfficialTable, OfficialTables, type TableLine } from "../curation/official-table.ts";
import type { ArtifactStore } from "../io/artifact-store.ts";
import type { Pipeline, PortLink } from "./pipeline.ts";
import type { RunResult } from "./runner.ts";

/** The official scripts' tables of one system. */
export interface SystemTables {
  /** `<model name>#<sample index>`, as in the accuracy table. */
  readonly system: string;
  readonly model: z.infer<typeof ModelName>;
  readonly setting: string;
  readonly round: number;
  readonly sampleIndex: number;
  readonly tables: readonly OfficialTable[];
}

export interface OfficialTablesRequest {
  readonly pipeline: Pipeline;
  readonly result: RunResult;
  readonly store: ArtifactStore;
  /** The step that averages: its inputs are read. */
  readonly step: string;
  /** Whether the table by hardness is wanted also for questions with a difficulty of BIRD's. */
  readonly hardness: boolean;
}

/**
 * The official scripts' tables of each system of a run, in the order of their first answers; empty when the run has not
 * come so far. Questions without an answer are not in them.
 */
export async function officialTablesOf(request: OfficialTablesRequest): Promise<SystemTables[]> {
  const inputs = request.pipeline.find(({ id }) => id === request.step)?.inputs;
  const ports = [inputs?.["examples"], inputs?.["golds"], inputs?.["samples"]] as const;
  const [examples, golds, samples] = [
    rowsOf(request, ports[0], Example),
    rowsOf(request, ports[1], GoldRow),
    rowsOf(request, ports[2], ScoredSample),
  ];
  if (examples === null || golds === null || samples === null) return [];
  const withValue = await answersWithValue(request, ports[2]);
  const systems = new Map<string, { readonly first: ScoredSample; readonly tables: OfficialTables }>();
  const merged = mergeByExample(examples, (example) => example.id, { golds, samples });
  for await (const { leader, rows } of merged) {
    const levels = levelsOf(leader, rows.golds[0], request.hardness);
    for (const sample of rows.samples) {
      const key = systemKeyOf(sample);
      const system = systems.get(key) ?? { first: sample, tables: new OfficialTables() };
      systems.set(key, system);
      const holdsValue = withValue.has(sample.trajectoryId);
      system.tables.add({ ...levels, holdsValue, verdicts: sample.verdicts });
    }
  }
  return [...systems.values()].map(({ first, tables }) => {
    const { model, setting, round, sampleIndex } = first;
    return {
      system: `${model.name}#${sampleIndex}`,
      model,
      setting,
      round,
      sampleIndex,
      tables: tables.finish(),
    };
  });
}

/** Ids of the answers that contain `value`, where a metric of Spider's script judges them: see {@link TableLine}. */
async function answersWithValue(
  request: OfficialTablesRequest,
  samples: PortLink | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const scoring = request.pipeline.find(({ id }) => id === samples?.step);
  const { metrics = [] } = (scoring?.options ?? {}) as { readonly metrics?: readonly string[] };
  if (!metrics.some((metric) => metric.startsWith("spider-"))) return found;
  const trajectories = rowsOf(request, scoring?.inputs["trajectories"], Trajectory);
  if (trajectories === null) return found;
  for await (const { id, finalSql } of trajectories())
    if (finalSql?.includes("value") === true) found.add(id);
  return found;
}

function levelsOf(
  { difficulty, dialogue }: Example,
  gold: GoldRow | undefined,
  always: boolean,
): Omit<TableLine, "verdicts"> {
  const label = gold?.labels["spider-hardness"];
  const isBird = BIRD_DIFFICULTIES.some((level) => level === difficulty);
  return {
    difficulty,
    hardness: label?.status === "scored" && (always || !isBird) ? label.label : null,
    dialogue: dialogue === null ? null : { id: dialogue.id, turn: dialogue.turn },
  };
}

function rowsOf<S extends z.ZodType>(
  { result, store }: OfficialTablesRequest,
  link: PortLink | undefined,
  schema: S,
): Rows<z.infer<S>> | null {
  const artifact = link === undefined ? undefined : result.artifacts.get(link.step);
  if (link === undefined || artifact === undefined) return null;
  return () => store.rows(artifact, link.port, schema);
}
