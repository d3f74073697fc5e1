import { GradusError } from "../core/errors.ts";
import { ShardFile } from "../core/rows.ts";
import type { Artifact, ArtifactStore } from "../io/artifact-store.ts";
import type { RunResult } from "./runner.ts";

/** One line of a funnel: `depth` 0 is a total, deeper lines are its parts. */
export interface FunnelLine {
  readonly name: string;
  readonly count: number;
  readonly depth: number;
}

/** A total and its parts; the parts sum to the total, or the funnel is refused. */
interface Balance {
  readonly name: string;
  readonly total: number;
  readonly parts: readonly (readonly [string, number])[];
}

/**
 * The way of every question and every answer through a finished run, from its manifests and the list of its
 * shard files.
 * @throws FUNNEL_UNBALANCED when the parts of a line do not sum to it.
 */
export async function funnelOf(result: RunResult, store: ArtifactStore): Promise<FunnelLine[]> {
  const counts = new StepCounts(result);
  const balances: Balance[] = [];
  const loads = counts.steps("load");
  if (loads.length > 0) balances.push(questions(counts, loads));
  if (counts.has("order")) {
    const parts = [...counts.groups("order", "examples"), ...counts.groups("order", "dropped")];
    balances.push({ name: "kept questions", total: keptQuestions(counts), parts });
  }
  if (counts.has("select")) balances.push(answers(counts));
  for (const id of counts.steps("export-")) balances.push(await shard(counts, id, store));
  return balances.flatMap(linesOf);
}

class StepCounts {
  readonly #result: RunResult;

  constructor(result: RunResult) {
    this.#result = result;
  }

  has(id: string): boolean {
    return this.#result.artifacts.has(id);
  }

  /** Ids of the finished steps that are `prefix` or start with it. */
  steps(prefix: string): string[] {
    return [...this.#result.artifacts.keys()].filter((id) => id === prefix || id.startsWith(prefix));
  }

  rows(step: string, port: string): number {
    return this.#result.artifacts.get(step)?.manifest.outputs[port]?.rows ?? 0;
  }

  groups(step: string, port: string): (readonly [string, number])[] {
    return Object.entries(this.#result.artifacts.get(step)?.manifest.outputs[port]?.groups ?? {});
  }

  artifact(step: string): Artifact {
    return this.#result.artifacts.get(step) as Artifact;
  }

  /** Rows that a step was fed at a port. */
  fed(step: string, port: string): number {
    const digest = this.artifact(step).manifest.inputs[port];
    for (const { manifest } of this.#result.artifacts.values()) {
      const found = Object.values(manifest.outputs).find((output) => output.digest === digest);
      if (found !== undefined) return found.rows;
    }
    return 0;
  }
}

function questions(counts: StepCounts, loads: readonly string[]): Balance {
  const sum = (port: string): number => loads.reduce((total, id) => total + counts.rows(id, port), 0);
  const total = sum("examples") + sum("rejects");
  const unreadable = ["unreadable", sum("rejects")] as const;
  if (!counts.has("filter"))
    return { name: "questions", total, parts: [unreadable, ["loaded", sum("examples")]] };
  const covered = counts.has("open")
    ? [["covered by earlier rounds", counts.rows("open", "covered")] as const]
    : [];
  const dropped = DROPPING.flatMap((step) => counts.groups(step, "dropped"));
  return {
    name: "questions",
    total,
    parts: [unreadable, ...covered, ...dropped, ["kept", keptQuestions(counts)]],
  };
}

/** Steps that drop questions, in their order. */
const DROPPING = ["filter", "deduplicate", "guard"];

/** What the last of these keeps. */
function keptQuestions(counts: StepCounts): number {
  return counts.rows(DROPPING.findLast((step) => counts.has(step)) ?? "filter", "kept");
}

function answers(counts: StepCounts): Balance {
  const total = counts.rows("score", "samples");
  const passedOver = counts.groups("select", "passedOver");
  return { name: "answers", total, parts: [...passedOver, ["chosen", counts.rows("select", "selected")]] };
}

async function shard(counts: StepCounts, id: string, store: ArtifactStore): Promise<Balance> {
  const set = counts.rows(id, "rejects");
  const parts: (readonly [string, number])[] = set === 0 ? [] : [["refused by the exporter", set]];
  const written = new Map<string, number>();
  for await (const file of store.rows(counts.artifact(id), "files", ShardFile)) {
    written.set(file.split, (written.get(file.split) ?? 0) + (file.sourceRows ?? file.rows));
  }
  return {
    name: `${id.slice("export-".length)} rows`,
    total: counts.fed(id, "rows"),
    parts: [...parts, ...written],
  };
}

function linesOf(balance: Balance): FunnelLine[] {
  const sum = balance.parts.reduce((total, [, count]) => total + count, 0);
  if (sum !== balance.total) {
    throw new GradusError(
      "FUNNEL_UNBALANCED",
      `the funnel does not balance: ${balance.total} ${balance.name}, but their parts sum to ${sum}`,
      {
        hint: "this is a defect: please report it with the run's folder",
      },
    );
  }
  const parts = balance.parts.filter(([, count]) => count > 0 || balance.parts.length <= 3);
  return [
    { name: balance.name, count: balance.total, depth: 0 },
    ...parts.map(([name, count]) => ({ name, count, depth: 1 })),
  ];
}
