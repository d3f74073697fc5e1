import { GradusError } from "../../../core/errors.ts";
import { type CliCommand, printJson, printText } from "../../cli/command.ts";
import type { Decision } from "../decision.ts";
import { acceptFinding } from "../decide.ts";
import { findingsNamed, readFindings, type ReviewedFinding } from "../finding-file.ts";
import { openReview, type ReviewOptions, withDecisionOptions, withReviewOptions } from "../review-command.ts";
import { renderDecisions } from "../render-decision.ts";

/** `gradus audit accept`: takes what a finding suggests. */
const command: CliCommand = {
  register: (audit) => {
    withDecisionOptions(
      withReviewOptions(
        audit
          .command("accept <finding>")
          .description("accept what a finding suggests: write the decision and the correction"),
      ),
    )
      .addHelpText(
        "after",
        "\nA finding is #n (the nth of the file), an example's id, or the dataset's own name of a question.\n\nExample:\n  gradus audit accept '#1' --dataset bird --split dev --root ~/data/bird/dev --author me",
      )
      .action(accept);
  },
};

async function accept(target: string, options: ReviewOptions): Promise<void> {
  const finding = suggestingFinding(await readFindings(options.findings), target, options.check ?? null);
  const review = await openReview(options);
  const decision: Decision = await acceptFinding(review, finding, options);
  await review.decide([decision]);
  if (options.json === true) printJson({ decisions: [decision] });
  else printText(renderDecisions([decision], options.corrections));
}

/** The one finding with a suggestion that a person names. */
function suggestingFinding(
  findings: readonly ReviewedFinding[],
  target: string,
  check: string | null,
): ReviewedFinding {
  const found = findingsNamed(findings, target, check);
  const suggesting = found.filter(({ suggestion }) => suggestion !== null);
  const [finding, ...others] = suggesting;
  if (finding !== undefined && others.length === 0) return finding;
  if (finding === undefined) {
    const what = found.length === 0 ? "there is no such finding" : "it suggests no text";
    throw new GradusError("FINDING_WITHOUT_SUGGESTION", `cannot accept ${target}: ${what}`, {
      hint: "gradus audit edit writes a correction of your own, gradus audit reject turns the finding down",
    });
  }
  const checks = suggesting.map((one) => one.check).join(", ");
  throw new GradusError(
    "FINDING_AMBIGUOUS",
    `${target} has ${suggesting.length} findings that suggest a text: ${checks}`,
    { hint: "name one with --check, or by its #n" },
  );
}

export default command;
