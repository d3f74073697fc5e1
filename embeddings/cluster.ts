import { z } from "zod";
import { SeededRandom } from "../core/random.ts";
import { ClusteredTrajectory, EmbeddedTrajectory } from "../core/self-taught.ts";
import { defineStage } from "../core/stage.ts";
import { densePoints } from "./dense-points.ts";
import { rowGroups } from "./row-groups.ts";
import { clusterFew } from "./small-clusters.ts";

/**
 * Clusters the vectors of each question, `clusters` of them, by a seed of its own, so that no question depends on
 * another. Rows without a vector are one cluster. @paper MTSQL-R1, section 3.2.2, S2
 */
export const clusterStage = defineStage({
  name: "cluster",
  version: 1,
  inputs: { embedded: EmbeddedTrajectory },
  outputs: { clustered: ClusteredTrajectory },
  options: z.strictObject({ clusters: z.int().positive().default(3) }),
  balances: [{ input: "embedded", outputs: ["clustered"] }],
  async *run({ inputs, options, context }) {
    let done = 0;
    for await (const group of rowGroups(inputs.embedded)) {
      const vectors = group.flatMap(({ vector }) => (vector === null ? [] : [vector]));
      const seed = new SeededRandom(context.seed, "cluster", group[0]?.exampleId ?? "").nextUint32();
      const places =
        vectors.length === group.length ? clusterFew(densePoints(vectors), options.clusters, seed) : [];
      for (const [index, { vector: _vector, ...row }] of group.entries()) {
        const { cluster, distance } = places[index] ?? { cluster: 0, distance: 0 };
        yield { port: "clustered", row: { ...row, cluster, distance } } as const;
      }
      done += 1;
      context.progress(done);
    }
  },
});
