import { keyOf } from "../core/key.ts";
import type { PromptSource } from "../core/shard.ts";
import type { Rows } from "../core/stage.ts";
import type { Message, PlugUse, Trajectory } from "../core/trajectory.ts";
import type { RowIndex } from "../io/row-index.ts";

/** What the rollouts of an example saw. */
interface Seen {
  readonly digest: string;
  /** The first of them. */
  readonly trajectoryId: string;
  differ: boolean;
}

/** A prompt as rollouts saw it; without messages the given one stands. */
export interface SeenPrompt {
  readonly source: PromptSource;
  readonly messages: readonly Message[] | null;
  readonly scaffold: PlugUse | null;
}

/** The prompts of examples as the rollouts of a scaffold saw them. Holds ids and digests. */
export class SeenPrompts {
  readonly #scaffold: string;
  readonly #seen = new Map<string, Seen>();
  /** Examples that some scaffold sampled. */
  readonly #sampled = new Set<string>();
  readonly #counts: Record<PromptSource, number> = { rollouts: 0, rollouts_differ: 0, no_rollout: 0 };

  private constructor(scaffold: string) {
    this.#scaffold = scaffold;
  }

  /** Reads the trajectories of the wanted examples to their end. */
  static async read(
    rows: Rows<Trajectory>,
    scaffold: string,
    wanted: ReadonlySet<string>,
  ): Promise<SeenPrompts> {
    const prompts = new SeenPrompts(scaffold);
    for await (const trajectory of rows()) {
      if (wanted.has(trajectory.exampleId)) prompts.#add(trajectory);
    }
    return prompts;
  }

  /** The trajectories whose prompts are asked for, by example. */
  trajectoryIds(): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.#seen].map(([exampleId, seen]) => [exampleId, seen.differ ? [] : [seen.trajectoryId]]),
    );
  }

  async promptOf(exampleId: string, trajectories: Pick<RowIndex<Trajectory>, "get">): Promise<SeenPrompt> {
    const seen = this.#seen.get(exampleId);
    const found = seen === undefined || seen.differ ? undefined : await trajectories.get(seen.trajectoryId);
    const source = found !== undefined ? "rollouts" : seen === undefined ? "no_rollout" : "rollouts_differ";
    if (source !== "no_rollout" || this.#sampled.has(exampleId)) this.#counts[source] += 1;
    if (found === undefined) return { source, messages: null, scaffold: null };
    return { source, messages: opening(found), scaffold: found.scaffold };
  }

  /** What a person should know of the prompts of `rows` rows; `null` where all is as the rollouts saw it. */
  warning(rows: number): string | null {
    const { rollouts_differ: differ, no_rollout: without } = this.#counts;
    const parts = [
      ...(differ === 0 ? [] : [`${differ} because their rollouts saw different ones`]),
      ...(without === 0 ? [] : [`${without} because no rollout is of ${this.#scaffold}`]),
    ];
    if (parts.length === 0) return null;
    const count = `${differ + without} of ${rows} prompts of RL rows`;
    return `${count} are not what agents saw, but opened as the config's prompt says: ${parts.join(", ")}`;
  }

  #add(trajectory: Trajectory): void {
    if (trajectory.source === "imported") return;
    this.#sampled.add(trajectory.exampleId);
    const messages = opening(trajectory);
    if (trajectory.scaffold.id !== this.#scaffold || messages.length === 0) return;
    const { options } = trajectory.scaffold;
    const shown = messages.map(({ role, rawText }) => [role, rawText]);
    const digest = keyOf({ shown, calls: options["calls"] ?? null, tools: options["tools"] ?? null });
    const seen = this.#seen.get(trajectory.exampleId);
    if (seen === undefined) {
      this.#seen.set(trajectory.exampleId, { digest, trajectoryId: trajectory.id, differ: false });
    } else if (seen.digest !== digest) seen.differ = true;
  }
}

/** What a trajectory was given before its first reply. */
function opening({ messages }: Trajectory): Message[] {
  const end = messages.findIndex(({ origin }) => origin !== "given");
  return messages.slice(0, end === -1 ? messages.length : end);
}
