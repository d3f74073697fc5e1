import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import { type Decision, decisionKey } from "./decision.ts";
import type { ReviewedFinding } from "./finding-file.ts";
import { correctionsFor, type DecisionNote, type Review, type WantedChange } from "./review.ts";
import { authorOf, type ReviewOptions } from "./review-command.ts";

type NoteOptions = Pick<ReviewOptions, "reason" | "kind" | "author" | "time">;

/** The decision to take what a finding suggests. @throws SUGGESTION_OVERTAKEN where another decision changed the text. */
export async function acceptFinding(
  review: Review,
  finding: ReviewedFinding,
  options: NoteOptions,
): Promise<Decision> {
  const { suggestion } = finding;
  const example = review.example(finding.exampleId);
  const changes = suggestion === null ? [] : [suggestion];
  return decisionOf(review, {
    example,
    finding,
    decision: "accepted",
    changes,
    note: noteOf(options, finding),
    isOfPublished: true,
  });
}

/** What a decision is made of. */
export interface DecisionRequest {
  readonly example: Example;
  /** `null` for a decision of the question itself. */
  readonly finding: Pick<ReviewedFinding, "check"> | null;
  readonly decision: Decision["decision"];
  readonly changes: readonly WantedChange[];
  readonly note: DecisionNote;
  /** The changes were made with the published text in view, so that no other decision may have changed it. */
  readonly isOfPublished: boolean;
}

/** A decision with the corrections that it means, from the question as the other decisions leave it. */
export async function decisionOf(review: Review, request: DecisionRequest): Promise<Decision> {
  const { example, finding, decision, changes, note } = request;
  const { dataset, sourceId } = example;
  const place = {
    dataset: dataset.name,
    split: dataset.split,
    sourceId,
    check: finding?.check ?? null,
  };
  const now = await review.current(example, decisionKey(place));
  if (request.isOfPublished) for (const change of changes) refuseOvertaken(example, now, change);
  const corrections = correctionsFor(request.isOfPublished ? example : now, changes, note);
  const kept = decision === "edited" ? keptEdits(review, place, changes) : [];
  return { ...place, exampleId: example.id, decision, ...note, corrections: [...kept, ...corrections] };
}

/** What an earlier edit of the same finding did to other fields. */
function keptEdits(
  review: Review,
  place: Parameters<typeof decisionKey>[0],
  changes: readonly WantedChange[],
): Decision["corrections"] {
  const key = decisionKey(place);
  const earlier = review.decisions.find((one) => decisionKey(one) === key && one.decision === "edited");
  return (earlier?.corrections ?? []).filter(({ field }) =>
    changes.every((change) => change.field !== field),
  );
}

function refuseOvertaken(published: Example, now: Example, { field, after }: WantedChange): void {
  const [was, is] =
    field === "gold" ? [published.gold.join("\n"), now.gold.join("\n")] : [published[field], now[field]];
  if (was === is || (field === "gold" ? now.gold[0] : is) === after) return;
  throw new GradusError(
    "SUGGESTION_OVERTAKEN",
    `another decision has changed the ${field} of question ${published.sourceId} already, to ${JSON.stringify(is)}`,
    { hint: "reject this finding, or use gradus audit edit, which starts from the text as it is now" },
  );
}

/** The note of a decision: what the person says, else what the finding says. */
export function noteOf(
  options: NoteOptions,
  finding: Pick<ReviewedFinding, "kind" | "message"> | null,
): DecisionNote {
  return {
    kind: options.kind ?? finding?.kind ?? "correction",
    reason: options.reason ?? finding?.message ?? "",
    ...authorOf(options),
  };
}
