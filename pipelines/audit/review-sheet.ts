import type { Example } from "../../core/example.ts";
import { canonicalJson } from "../../core/key.ts";
import { type Decision, decisionKey } from "./decision.ts";
import type { ReviewedFinding } from "./finding-file.ts";

/** The columns of a review sheet, in their order; all cells are text. A reviewer fills those of {@link FILLED}. */
export const SHEET_COLUMNS = [
  "example_id",
  "dataset",
  "split",
  "source_id",
  "db_id",
  "check",
  "kind",
  "severity",
  "confidence",
  "message",
  "finding_evidence",
  "question",
  "evidence",
  "gold",
  "other_golds",
  "suggested_field",
  "suggested_text",
  "decision",
  "corrected_question",
  "corrected_evidence",
  "corrected_gold",
  "reason",
  "author",
  "time",
  "corrections",
] as const;
export type SheetColumn = (typeof SHEET_COLUMNS)[number];

/** One row of a review sheet. */
export type SheetRow = Readonly<Record<SheetColumn, string>>;

/** The columns that a reviewer fills. `decision` is `accept`, `edit`, `reject` or empty. */
export const FILLED = [
  "decision",
  "corrected_question",
  "corrected_evidence",
  "corrected_gold",
  "reason",
  "author",
  "time",
] as const satisfies readonly SheetColumn[];

/** What a reviewer writes for a decision. */
export const DECISION_WORDS = { accepted: "accept", edited: "edit", rejected: "reject" } as const;

/** The sheet of some findings, with the decisions that are there; `findings` `null` has a row a question. */
export function sheetRows(
  examples: readonly Example[],
  findings: readonly ReviewedFinding[] | null,
  decisions: readonly Decision[],
): SheetRow[] {
  const decided = new Map(decisions.map((decision) => [decisionKey(decision), decision]));
  const byId = new Map(examples.map((example) => [example.id, example]));
  const rows: SheetRow[] = [];
  const seen = new Set<string>();
  const add = (example: Example, finding: ReviewedFinding | null): void => {
    const place = { dataset: example.dataset.name, split: example.dataset.split, sourceId: example.sourceId };
    const key = decisionKey({ ...place, check: finding?.check ?? null });
    seen.add(key);
    rows.push({ ...questionCells(example), ...findingCells(finding), ...decisionCells(decided.get(key)) });
  };
  if (findings === null) for (const example of examples) add(example, null);
  for (const finding of findings ?? []) {
    const example = byId.get(finding.exampleId);
    if (example !== undefined) add(example, finding);
  }
  for (const decision of decisions) {
    const example = byId.get(decision.exampleId);
    if (example === undefined || seen.has(decisionKey(decision))) continue;
    const cells = { ...findingCells(null), check: decision.check ?? "", kind: decision.kind };
    rows.push({ ...questionCells(example), ...cells, ...decisionCells(decision) });
  }
  return rows;
}

type Cells<C extends SheetColumn> = Readonly<Record<C, string>>;

function questionCells(
  example: Example,
): Cells<
  | "example_id"
  | "dataset"
  | "split"
  | "source_id"
  | "db_id"
  | "question"
  | "evidence"
  | "gold"
  | "other_golds"
> {
  const [gold = "", ...others] = example.gold;
  return {
    example_id: example.id,
    dataset: example.dataset.name,
    split: example.dataset.split,
    source_id: example.sourceId,
    db_id: example.databaseId,
    question: example.question,
    evidence: example.evidence ?? "",
    gold,
    other_golds: others.length === 0 ? "" : canonicalJson(others),
  };
}

function findingCells(
  finding: ReviewedFinding | null,
): Cells<
  | "check"
  | "kind"
  | "severity"
  | "confidence"
  | "message"
  | "finding_evidence"
  | "suggested_field"
  | "suggested_text"
> {
  return {
    check: finding?.check ?? "",
    kind: finding?.kind ?? "",
    severity: finding?.severity ?? "",
    confidence: finding === null ? "" : String(finding.confidence),
    message: finding?.message ?? "",
    finding_evidence: finding === null ? "" : canonicalJson(finding.evidence),
    suggested_field: finding?.suggestion?.field ?? "",
    suggested_text: finding?.suggestion?.after ?? "",
  };
}

/** What a sheet says of a decision; empty cells where there is none. */
export function decisionCells(
  decision: Decision | undefined,
): Cells<(typeof FILLED)[number] | "corrections"> {
  const corrected = (field: string): string => {
    const own =
      decision?.decision === "edited" ? decision.corrections.filter((one) => one.field === field) : [];
    return (own.find(({ before }) => before !== null) ?? own.at(-1))?.after ?? "";
  };
  return {
    decision: decision === undefined ? "" : DECISION_WORDS[decision.decision],
    corrected_question: corrected("question"),
    corrected_evidence: corrected("evidence"),
    corrected_gold: corrected("gold"),
    reason: decision?.reason ?? "",
    author: decision?.author ?? "",
    time: decision?.time ?? "",
    corrections: decision === undefined ? "" : canonicalJson(decision),
  };
}
