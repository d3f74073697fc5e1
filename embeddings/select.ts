import { z } from "zod";
import { ExampleCursor } from "../core/example-cursor.ts";
import { SeededRandom } from "../core/random.ts";
import { PassedOverTrajectory, SelectedTrajectory } from "../core/rows.ts";
import { ClusteredTrajectory, TaughtCandidate } from "../core/self-taught.ts";
import { defineStage } from "../core/stage.ts";
import { representatives } from "./representatives.ts";
import { rowGroups } from "./row-groups.ts";

/**
 * Chooses what teaches from the candidates: of an easy question a seeded draw, of a hard one representatives of its
 * clusters, never more than its limit and never two with the same actions. `selected` says how
 * (`easy`, `hard`, `easy_fallback`, `hard_fallback`); the others join what was passed over before, as
 * `duplicate_actions` or `over_limit`.
 * That no two have the same actions is not in the paper. @paper MTSQL-R1, section 3.2.2, S2
 */
export const selectTaughtStage = defineStage({
  name: "select-taught",
  version: 1,
  inputs: {
    candidates: TaughtCandidate,
    clustered: ClusteredTrajectory,
    passedOver: PassedOverTrajectory,
  },
  outputs: { selected: SelectedTrajectory, passedOver: PassedOverTrajectory },
  options: z.strictObject({}),
  async *run({ inputs, context }) {
    for await (const row of inputs.passedOver()) yield { port: "passedOver", row } as const;
    const clustered = new ExampleCursor("clustered", inputs.clustered, (row) => row.exampleId);
    try {
      for await (const group of rowGroups(inputs.candidates)) {
        const [first] = group;
        if (first === undefined) continue;
        const { exampleId, limit } = first;
        const members = await clustered.take(exampleId);
        const chosen =
          first.class === "hard"
            ? representatives(members, limit)
            : draw(members, limit, new SeededRandom(context.seed, "select-taught", exampleId));
        const reason = `${first.class}${first.fallback ? "_fallback" : ""}`;
        for (const { trajectoryId } of chosen) {
          yield { port: "selected", row: { trajectoryId, exampleId, split: first.split, reason } } as const;
        }
        yield* leftOver(members, chosen);
      }
      await clustered.expectEnd();
    } finally {
      await clustered.close();
    }
  },
});

/** A draw without two of the same actions. */
function draw(
  members: readonly ClusteredTrajectory[],
  limit: number,
  random: SeededRandom,
): ClusteredTrajectory[] {
  const sorted = [...members].sort((left, right) => (left.trajectoryId < right.trajectoryId ? -1 : 1));
  const taken = new Set<string>();
  return random
    .shuffle(sorted)
    .filter(({ actions }) => {
      if (taken.has(actions)) return false;
      taken.add(actions);
      return true;
    })
    .slice(0, limit);
}

function* leftOver(members: readonly ClusteredTrajectory[], chosen: readonly ClusteredTrajectory[]) {
  const ids = new Set(chosen.map(({ trajectoryId }) => trajectoryId));
  const actions = new Set(chosen.map((member) => member.actions));
  for (const { trajectoryId, exampleId, actions: own } of members) {
    if (ids.has(trajectoryId)) continue;
    const reason = actions.has(own) ? "duplicate_actions" : "over_limit";
    yield { port: "passedOver", row: { trajectoryId, exampleId, reason } } as const;
  }
}
