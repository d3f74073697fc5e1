import { compareText } from "../../curation/compare-text.ts";
import type { RolloutKind, ShownRollout } from "./report-document.ts";

/** A rollout that may be shown. */
export type Candidate = Omit<ShownRollout, "system"> & { readonly systemKey: string };

/** What a rollout and its question are called. */
export interface RolloutNames {
  readonly id: string;
  readonly exampleId: string;
}

/** Kept of each kind and system while reading. */
const KEPT = 4;

/** Shown of each kind. */
export const SHOWN_OF_KIND = 4;

const KINDS: readonly RolloutKind[] = ["right", "repaired", "wrong"];

/**
 * Chooses rollouts to read. Ids are digests, so that those with the lowest are a sample that does not depend on the
 * order of the rows: the same rows give the same choice.
 */
export class RolloutPool {
  readonly #kept = new Map<string, Candidate[]>();

  /** Whether a rollout would be kept, without looking at what is in it; of one question only one is. */
  wants(kind: RolloutKind, systemKey: string, names: RolloutNames): boolean {
    const kept = this.#kept.get(keyOf(kind, systemKey)) ?? [];
    const same = kept.find(({ trajectory }) => trajectory.exampleId === names.exampleId);
    if (same !== undefined) return names.id < same.trajectory.id;
    return kept.length < KEPT || names.id < (kept.at(-1)?.trajectory.id ?? "");
  }

  offer(candidate: Candidate): void {
    const { kind, systemKey, trajectory } = candidate;
    if (!this.wants(kind, systemKey, trajectory)) return;
    const key = keyOf(kind, systemKey);
    const others = (this.#kept.get(key) ?? []).filter(
      (other) => other.trajectory.exampleId !== trajectory.exampleId,
    );
    const kept = [...others, candidate];
    kept.sort((left, right) => compareText(left.trajectory.id, right.trajectory.id));
    this.#kept.set(key, kept.slice(0, KEPT));
  }

  /** At most {@link SHOWN_OF_KIND} of each kind, systems by turns, no question twice where others are left. */
  chosen(labels: ReadonlyMap<string, string>): ShownRollout[] {
    const asked = new Set<string>();
    return KINDS.flatMap((kind) => {
      const queues = [...labels.keys()]
        .map((systemKey) => [...(this.#kept.get(keyOf(kind, systemKey)) ?? [])])
        .filter((queue) => queue.length > 0);
      const chosen: Candidate[] = [];
      for (
        let turn = 0;
        chosen.length < SHOWN_OF_KIND && queues.some((queue) => queue.length > 0);
        turn += 1
      ) {
        const queue = queues[turn % queues.length] as Candidate[];
        const fresh = queue.findIndex(({ trajectory }) => !asked.has(trajectory.exampleId));
        const [next] = queue.splice(Math.max(fresh, 0), 1);
        if (next === undefined) continue;
        asked.add(next.trajectory.exampleId);
        chosen.push(next);
      }
      return chosen.map(({ systemKey, ...rollout }) => ({
        ...rollout,
        system: labels.get(systemKey) ?? systemKey,
      }));
    });
  }
}

function keyOf(kind: RolloutKind, systemKey: string): string {
  return `${kind} ${systemKey}`;
}
