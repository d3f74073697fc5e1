import { GradusError } from "../../../core/errors.ts";
import { type CliCommand, printJson, printText } from "../../cli/command.ts";
import { decisionOf, noteOf } from "../decide.ts";
import { findingsNamed, readFindings, type ReviewedFinding } from "../finding-file.ts";
import { renderDecisions } from "../render-decision.ts";
import type { WantedChange } from "../review.ts";
import { openReview, type ReviewOptions, withDecisionOptions, withReviewOptions } from "../review-command.ts";

interface Options extends ReviewOptions {
  readonly gold?: string;
  readonly replaces?: string;
  readonly addGold?: string;
  readonly dropGold?: string;
  readonly question?: string;
  readonly evidence?: string;
}

/** `gradus audit edit`: a correction of a person's own. */
const command: CliCommand = {
  register: (audit) => {
    withDecisionOptions(
      withReviewOptions(
        audit
          .command("edit <finding>")
          .description("correct a question by hand: write the decision and the correction")
          .option("--gold <sql>", "the right SQL, in the place of the first gold")
          .option("--replaces <sql>", "the gold that --gold takes the place of, where there are several")
          .option("--add-gold <sql>", "one more accepted SQL")
          .option("--drop-gold <sql>", "an accepted SQL to take away")
          .option("--question <text>", "the right question")
          .option("--evidence <text>", "the right evidence"),
      ),
    )
      .addHelpText(
        "after",
        "\nA finding is #n (the nth of the file); an example's id or the dataset's own name of a question needs no finding.\n\nExample:\n  gradus audit edit 1467 --dataset bird --split dev --gold 'SELECT …' --kind join --reason 'one row a donor'",
      )
      .action(edit);
  },
};

async function edit(target: string, options: Options): Promise<void> {
  const changes = changesOf(options);
  const finding = oneFinding(await readFindings(options.findings), target, options.check ?? null);
  const review = await openReview(options);
  const decision = await decisionOf(review, {
    example: review.example(finding?.exampleId ?? target),
    finding,
    decision: "edited",
    changes,
    note: noteOf(options, finding),
    isOfPublished: false,
  });
  await review.decide([decision]);
  if (options.json === true) printJson({ decisions: [decision] });
  else printText(renderDecisions([decision], options.corrections));
}

function changesOf(options: Options): WantedChange[] {
  const { gold, replaces, addGold, dropGold, question, evidence } = options;
  const changes: WantedChange[] = [];
  if (gold !== undefined)
    changes.push({ field: "gold", after: gold, ...(replaces === undefined ? {} : { before: replaces }) });
  if (addGold !== undefined) changes.push({ field: "gold", isAdded: true, after: addGold });
  if (dropGold !== undefined) changes.push({ field: "gold", before: dropGold, after: null });
  if (question !== undefined) changes.push({ field: "question", after: question });
  if (evidence !== undefined) changes.push({ field: "evidence", after: evidence });
  if (changes.length > 0) return changes;
  throw new GradusError(
    "USAGE",
    "nothing to correct, expected one of --gold, --add-gold, --drop-gold, --question, --evidence",
  );
}

/** The finding that a person means; `null` where the question has several, or none. */
function oneFinding(
  findings: readonly ReviewedFinding[],
  target: string,
  check: string | null,
): ReviewedFinding | null {
  const found = findingsNamed(findings, target, check);
  return found.length === 1 ? (found[0] ?? null) : null;
}

export default command;
