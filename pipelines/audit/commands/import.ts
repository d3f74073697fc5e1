import { readText } from "../../../io/files.ts";
import { type CliCommand, printJson, printText } from "../../cli/command.ts";
import { renderDecisions } from "../render-decision.ts";
import {
  authorOf,
  openReview,
  type ReviewOptions,
  withDecisionOptions,
  withReviewOptions,
} from "../review-command.ts";
import type { SheetRow } from "../review-sheet.ts";
import { readSheetCsv } from "../sheet-csv.ts";
import { sheetDecisions } from "../sheet-decisions.ts";
import { readSheetText } from "../sheet-html.ts";

/** `gradus audit import`: a reviewed sheet back in. */
const command: CliCommand = {
  register: (audit) => {
    withDecisionOptions(
      withReviewOptions(
        audit
          .command("import <sheet>")
          .description("read a reviewed sheet back: CSV, the HTML page, or what its button saved"),
      ),
    )
      .addHelpText(
        "after",
        "\nRows without a decision are passed over; nothing is written where a row does not fit.\n\nExample:\n  gradus audit import reviewed.csv --dataset bird --split dev --author me",
      )
      .action(importSheet);
  },
};

async function importSheet(file: string, options: ReviewOptions): Promise<void> {
  const rows = await readSheet(file);
  const review = await openReview(options);
  const decisions = await sheetDecisions(review, rows, authorOf(options));
  await review.decide(decisions);
  if (options.json === true) printJson({ rows: rows.length, decisions });
  else
    printText(
      [
        renderDecisions(decisions, options.corrections),
        `${decisions.length} of ${rows.length} rows are decided`,
      ]
        .filter((text) => text !== "")
        .join("\n"),
    );
}

async function readSheet(file: string): Promise<SheetRow[]> {
  return /\.csv$/i.test(file) ? readSheetCsv(file) : readSheetText(await readText(file), file);
}

export default command;
