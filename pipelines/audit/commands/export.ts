import { GradusError } from "../../../core/errors.ts";
import { kindOf, writeWhole } from "../../../io/files.ts";
import { type CliCommand, printJson, printText, refuseOverwriting } from "../../cli/command.ts";
import { writeRows } from "../decision.ts";
import { readFindings } from "../finding-file.ts";
import { openReview, type ReviewOptions, withReviewOptions } from "../review-command.ts";
import { sheetRows } from "../review-sheet.ts";
import { sheetCsv } from "../sheet-csv.ts";
import { sheetHtml } from "../sheet-html.ts";

interface Options extends ReviewOptions {
  readonly to: string;
  readonly out: string;
  readonly questions?: boolean;
}

const FORMS = ["corrections", "csv", "html"];

/** `gradus audit export`: the corrections that follow from the decisions, or a sheet to review. */
const command: CliCommand = {
  register: (audit) => {
    withReviewOptions(
      audit
        .command("export")
        .description("write the overlay of corrections, or a sheet to review as CSV or HTML")
        .requiredOption("--to <form>", "corrections, csv or html")
        .requiredOption("--out <file>", "where it goes")
        .option("--questions", "a row for each question of the split, without findings"),
    )
      .addHelpText(
        "after",
        "\nIn a sheet, write accept, edit or reject under decision, and corrected texts beside it; gradus audit import reads it back.\n\nExample:\n  gradus audit export --to html --out review.html --dataset bird --split dev --findings findings.jsonl",
      )
      .action(exportReview);
  },
};

async function exportReview(options: Options): Promise<void> {
  if (!FORMS.includes(options.to))
    throw new GradusError("USAGE", `--to must be corrections, csv or html, got "${options.to}"`);
  const overlay = options.to === "corrections" ? [] : [options.corrections];
  refuseOverwriting(options.out, [options.findings, options.decisions, ...overlay]);
  const review = await openReview(options);
  if (options.to === "corrections") {
    const corrections = review.decisions.flatMap((decision) => decision.corrections);
    await review.check();
    await writeRows(options.out, corrections);
    said(options, corrections.length, "corrections");
    return;
  }
  const isOfQuestions = options.questions === true;
  if (!isOfQuestions && (await kindOf(options.findings)) !== "file") {
    throw new GradusError("USAGE", `there is no ${options.findings}, expected findings, or --questions`);
  }
  const findings = isOfQuestions ? null : await readFindings(options.findings);
  const rows = sheetRows(review.examples, findings, review.decisions);
  const title = `Review of ${options.dataset} ${options.split}`;
  await writeWhole(options.out, options.to === "csv" ? sheetCsv(rows) : sheetHtml(title, rows));
  said(options, rows.length, "rows");
}

function said(options: Options, count: number, what: string): void {
  if (options.json === true) printJson({ out: options.out, [what]: count });
  else printText(`${count} ${what} in ${options.out}`);
}

export default command;
