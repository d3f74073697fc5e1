import type { ReleaseChange } from "../../../pipelines/audit/release-change.ts";
import type { ReleaseRow } from "../../../pipelines/audit/release-fields.ts";

/** A question of a release. */
export function releaseRow(changes: Partial<ReleaseRow> = {}): ReleaseRow {
  return {
    id: "0",
    position: 0,
    databaseId: "shop",
    question: "How many?",
    evidence: "",
    gold: ["SELECT 1"],
    ...changes,
  };
}

/** A changed gold that was run, with the same rows as before. */
export function releaseChange(changes: Partial<ReleaseChange> = {}): ReleaseChange {
  const texts = { question: "How many?", evidence: null, gold: ["SELECT 1"] };
  const ending = { status: "ok", message: "", rows: 1 } as const;
  return {
    id: "7",
    databaseId: "shop",
    changed: ["gold"],
    before: texts,
    after: { ...texts, gold: ["SELECT 1 AS one"] },
    sameText: [],
    effect: {
      before: ending,
      after: ending,
      result: "same_order",
      rightBefore: 0,
      rightAfter: 0,
      moved: [],
      consensus: null,
    },
    unjudged: null,
    signs: ["no_op_result"],
    ...changes,
  };
}
