import { defineLabel } from "../../core/metric.ts";
import { unscored } from "../../core/verdict.ts";
import { BIRD_DIFFICULTIES } from "../bird-difficulty.ts";

/**
 * The difficulty that BIRD published with the question; people gave it, so nothing is computed. Unscored:
 * `difficulty_missing` where there is none, `difficulty_unknown` for one that is not BIRD's.
 *
 * @paper BIRD (Li et al. 2023), appendix: difficulty of questions
 */
export default defineLabel({
  id: "bird-difficulty",
  version: 1,
  levels: BIRD_DIFFICULTIES,
  label(_goldSql, _schema, difficulty = null) {
    if (difficulty === null) return unscored("difficulty_missing", "the example has no difficulty");
    const level = BIRD_DIFFICULTIES.find((known) => known === difficulty);
    if (level !== undefined) return { status: "scored", label: level };
    const expected = BIRD_DIFFICULTIES.join(", ");
    return unscored("difficulty_unknown", `got ${JSON.stringify(difficulty)}, expected one of ${expected}`);
  },
});
