import { GradusError, messageOf } from "../../core/errors.ts";
import { Decision, decisionKey } from "./decision.ts";
import { decisionOf } from "./decide.ts";
import { decisionCells, FILLED, type SheetRow } from "./review-sheet.ts";
import type { Review, WantedChange } from "./review.ts";

/** Who decides where a row does not say. */
export interface SheetAuthor {
  readonly author: string;
  readonly time: string;
}

const WORDS: Readonly<Record<string, Decision["decision"]>> = {
  accept: "accepted",
  accepted: "accepted",
  edit: "edited",
  edited: "edited",
  reject: "rejected",
  rejected: "rejected",
};

/**
 * The decisions of a reviewed sheet; rows without one are passed over. A row whose decision has not been touched since
 * the sheet was written gives back the very same, unless somebody has decided anew meanwhile.
 * @throws SHEET_ROW_INVALID naming the row.
 */
export async function sheetDecisions(
  review: Review,
  rows: readonly SheetRow[],
  by: SheetAuthor,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const [index, row] of rows.entries()) {
    const word = row.decision.trim().toLowerCase();
    if (word === "") continue;
    const decision = WORDS[word];
    if (decision === undefined)
      throw invalid(index, `its decision is "${row.decision}", expected accept, edit or reject`);
    const known = knownDecision(row);
    if (known !== undefined && saysTheSame(row, known, DECIDED)) {
      const isUntouched = saysTheSame(row, known, FILLED);
      if (!isUntouched) decisions.push(renoted(row, known, by));
      else if (!isOvertaken(review, known)) decisions.push(known);
      continue;
    }
    // A time that came with the sheet is that of the older decision.
    const time = row.time === known?.time ? "" : row.time;
    try {
      decisions.push(await newDecision(review, { ...row, time }, decision, by));
    } catch (thrown) {
      throw invalid(index, messageOf(thrown), thrown);
    }
  }
  return decisions;
}

/** The decision that a row came with. */
function knownDecision(row: SheetRow): Decision | undefined {
  if (row.corrections === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(row.corrections);
  } catch {
    return undefined;
  }
  return Decision.safeParse(value).data;
}

/** The cells that make a decision; the others say why, by whom and when. */
const DECIDED = ["decision", "corrected_question", "corrected_evidence", "corrected_gold"] as const;

/** Whether some cells still say what the decision says. */
function saysTheSame(row: SheetRow, known: Decision, columns: readonly (typeof FILLED)[number][]): boolean {
  const cells = decisionCells(known);
  return columns.every((column) => plain(cells[column]) === plain(row[column]));
}

/** Whether somebody has decided anew since the sheet was written. */
function isOvertaken(review: Review, known: Decision): boolean {
  const now = review.decisions.find((one) => decisionKey(one) === decisionKey(known));
  return now !== undefined && now.time > known.time;
}

/** The same decision for another reason, or by somebody else. */
function renoted(row: SheetRow, known: Decision, by: SheetAuthor): Decision {
  const note = {
    reason: row.reason,
    author: row.author === "" ? by.author : row.author,
    time: row.time === "" || row.time === known.time ? by.time : row.time,
  };
  const corrections = known.corrections.map((correction) => ({ ...correction, ...note }));
  return { ...known, ...note, corrections };
}

/** Spreadsheets write line ends anew. */
function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

async function newDecision(
  review: Review,
  row: SheetRow,
  decision: Decision["decision"],
  by: SheetAuthor,
): Promise<Decision> {
  const example = review.example(row.example_id === "" ? row.source_id : row.example_id);
  const changes = decision === "accepted" ? suggested(row) : decision === "edited" ? edited(row) : [];
  return decisionOf(review, {
    example,
    finding: row.check === "" ? null : { check: row.check },
    decision,
    changes,
    note: {
      kind: row.kind === "" ? "correction" : row.kind,
      reason: row.reason === "" && decision === "accepted" ? row.message : row.reason,
      author: row.author === "" ? by.author : row.author,
      time: row.time === "" ? by.time : row.time,
    },
    isOfPublished: true,
  });
}

function suggested({ suggested_field: field, suggested_text: after }: SheetRow): WantedChange[] {
  if (field === "gold" || field === "question" || field === "evidence") return [{ field, after }];
  throw new GradusError("SHEET_NO_SUGGESTION", "it accepts a finding that suggests no text");
}

function edited(row: SheetRow): WantedChange[] {
  const changes: WantedChange[] = [];
  if (row.corrected_question !== "") changes.push({ field: "question", after: row.corrected_question });
  if (row.corrected_evidence !== "") changes.push({ field: "evidence", after: row.corrected_evidence });
  if (row.corrected_gold !== "") changes.push({ field: "gold", after: row.corrected_gold });
  if (changes.length > 0) return changes;
  throw new GradusError("SHEET_NO_CORRECTION", "it says edit, and no corrected_ column has a text");
}

function invalid(index: number, problem: string, cause?: unknown): GradusError {
  return new GradusError("SHEET_ROW_INVALID", `cannot use row ${index + 1} of the sheet: ${problem}`, {
    hint: "correct the row and import the sheet again: nothing was written",
    ...(cause === undefined ? {} : { cause }),
  });
}
