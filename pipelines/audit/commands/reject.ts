import { type CliCommand, printJson, printText } from "../../cli/command.ts";
import type { Decision } from "../decision.ts";
import { decisionOf, noteOf } from "../decide.ts";
import { findingsNamed, readFindings } from "../finding-file.ts";
import { renderDecisions } from "../render-decision.ts";
import { openReview, type ReviewOptions, withDecisionOptions, withReviewOptions } from "../review-command.ts";

/** `gradus audit reject`: the question is right as it is. */
const command: CliCommand = {
  register: (audit) => {
    withDecisionOptions(
      withReviewOptions(
        audit
          .command("reject <finding>")
          .description("turn a finding down, or all findings of a question: it is right as it is"),
      ),
    )
      .addHelpText(
        "after",
        "\nA correction that an earlier decision of the same finding made is withdrawn.\n\nExample:\n  gradus audit reject '#4' --dataset bird --split dev --reason 'the evidence says so'",
      )
      .action(reject);
  },
};

async function reject(target: string, options: ReviewOptions): Promise<void> {
  const findings = findingsNamed(await readFindings(options.findings), target, options.check ?? null);
  const review = await openReview(options);
  const decisions: Decision[] = [];
  for (const finding of findings.length === 0 ? [null] : findings) {
    decisions.push(
      await decisionOf(review, {
        example: review.example(finding?.exampleId ?? target),
        finding,
        decision: "rejected",
        changes: [],
        note: { ...noteOf(options, finding), reason: options.reason ?? "" },
        isOfPublished: false,
      }),
    );
  }
  await review.decide(decisions);
  if (options.json === true) printJson({ decisions });
  else printText(renderDecisions(decisions, options.corrections));
}

export default command;
