import { z } from "zod";
import type { OpenEmbedder } from "../core/embedder.ts";
import { GradusError } from "../core/errors.ts";
import { EmbeddedTrajectory, TaughtCandidate } from "../core/self-taught.ts";
import { defineStage } from "../core/stage.ts";
import { actionsDigest, sampledLength } from "../core/trajectory-actions.ts";
import { Trajectory } from "../core/trajectory.ts";
import { rowGroups } from "./row-groups.ts";
import { trajectoryText } from "./trajectory-text.ts";

/** Questions that are embedded in one call of the embedder where that may be: servers are asked in batches. */
const QUESTIONS_IN_FLIGHT = 16;

const EmbedOptions = z.strictObject({
  embedder: z.string().default("tf-idf"),
  options: z.record(z.string(), z.json()).default({}),
  /** What of a trajectory is embedded: never its prompt, nor results. */
  parts: z
    .array(z.enum(["sql", "actions", "thoughts"]))
    .min(1)
    .default(["sql", "actions"]),
});

const EmbedRuntime = z.strictObject({
  cacheFile: z.string().nullable().default(null),
  client: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Embeds the candidates of hard questions that have more of them than they may keep; other candidates come without
 * a vector. Texts of one question are one set; equal texts are embedded once. Rows in the order of the candidates.
 * @throws EMBEDDING_INVALID, STAGE_ORDER_BROKEN, and what the embedder's server makes it throw.
 */
export const embedStage = defineStage({
  name: "embed",
  version: 1,
  inputs: { candidates: TaughtCandidate, trajectories: Trajectory },
  outputs: { embedded: EmbeddedTrajectory },
  options: EmbedOptions,
  runtime: EmbedRuntime,
  balances: [{ input: "candidates", outputs: ["embedded"] }],
  plugs: (options) => [{ kind: "embedder", id: options.embedder }],
  async *run({ inputs, options, runtime, context }) {
    const plug = await context.plugs.find("embedder", options.embedder);
    const { signal } = context;
    const embedder = await plug.open(plug.options.parse(options.options), { ...runtime, signal });
    const trajectories = inputs.trajectories()[Symbol.asyncIterator]();
    let waiting: Promise<EmbeddedTrajectory[]>[] = [];
    let done = 0;
    try {
      for await (const group of rowGroups(inputs.candidates)) {
        const found = await takeMatching(trajectories, group);
        waiting.push(embedGroup(group, found, { embedder, parts: options.parts }));
        if (waiting.length < QUESTIONS_IN_FLIGHT) continue;
        for (const rows of await Promise.all(waiting))
          for (const row of rows) yield { port: "embedded", row } as const;
        done += waiting.length;
        waiting = [];
        context.progress(done);
      }
      for (const rows of await Promise.all(waiting))
        for (const row of rows) yield { port: "embedded", row } as const;
    } finally {
      await Promise.allSettled(waiting);
      await trajectories.return?.();
      await embedder.close();
    }
  },
});

/** The trajectories of some candidates, which come in the same order among others. */
async function takeMatching(
  trajectories: AsyncIterator<Trajectory>,
  candidates: readonly TaughtCandidate[],
): Promise<Trajectory[]> {
  const found: Trajectory[] = [];
  for (const { trajectoryId } of candidates) {
    for (;;) {
      const next = await trajectories.next();
      if (next.done === true) throw outOfOrder(trajectoryId);
      if (next.value.id !== trajectoryId) continue;
      found.push(next.value);
      break;
    }
  }
  return found;
}

function outOfOrder(trajectoryId: string): GradusError {
  return new GradusError(
    "STAGE_ORDER_BROKEN",
    `candidate ${trajectoryId} is not among the trajectories that come after the one before it`,
    { site: { stage: "embed", rowId: trajectoryId }, hint: "this is a defect: please report it" },
  );
}

async function embedGroup(
  candidates: readonly TaughtCandidate[],
  trajectories: readonly Trajectory[],
  how: { readonly embedder: OpenEmbedder; readonly parts: z.infer<typeof EmbedOptions>["parts"] },
): Promise<EmbeddedTrajectory[]> {
  const [first] = candidates;
  const needsVectors = first?.class === "hard" && candidates.length > first.limit;
  const texts = needsVectors ? trajectories.map((trajectory) => trajectoryText(trajectory, how.parts)) : [];
  const vectors = needsVectors ? await how.embedder.embed(texts) : [];
  return candidates.map(({ trajectoryId, exampleId }, index) => {
    const trajectory = trajectories[index] as Trajectory;
    return {
      trajectoryId,
      exampleId,
      actions: actionsDigest(trajectory),
      length: sampledLength(trajectory),
      vector: vectors[index] ?? null,
    };
  });
}
