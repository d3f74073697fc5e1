import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import { kindOf } from "../../io/files.ts";
import { readJsonLines } from "../../io/jsonl.ts";
import { problemsOf } from "../../datasets/question-rows.ts";

/** What a review needs of a finding; what else a row holds is passed over. */
export const ReviewedFinding = z.object({
  exampleId: z.string(),
  dataset: z.string(),
  split: z.string(),
  sourceId: z.string(),
  check: z.string().min(1),
  kind: z.string().min(1),
  severity: z.string().default("warning"),
  confidence: z.number().default(0),
  message: z.string().default(""),
  evidence: z.record(z.string(), z.json()).default({}),
  suggestion: z
    .object({ field: z.enum(["gold", "question", "evidence"]), after: z.string() })
    .nullable()
    .default(null),
});
export type ReviewedFinding = z.infer<typeof ReviewedFinding>;

/** Reads a file of findings; none where there is no file. @throws FINDING_MALFORMED with the line. */
export async function readFindings(file: string): Promise<ReviewedFinding[]> {
  if ((await kindOf(file)) !== "file") return [];
  const findings: ReviewedFinding[] = [];
  for await (const { value, line } of readJsonLines(file)) {
    const parsed = ReviewedFinding.safeParse(value);
    if (!parsed.success) {
      throw new GradusError(
        "FINDING_MALFORMED",
        `cannot use line ${line} of ${file} as a finding: ${problemsOf(parsed.error)}`,
        { site: { file, line }, hint: "gradus audit list --json writes findings" },
      );
    }
    findings.push(parsed.data);
  }
  return findings;
}

/**
 * The findings that a person names: `#3` is the third of the file, an example's id or the first digits of one, or the
 * dataset's own name of a question, means all of its findings; `check` narrows them.
 * @throws FINDING_UNKNOWN for `#n` that is not there.
 */
export function findingsNamed(
  findings: readonly ReviewedFinding[],
  target: string,
  check: string | null,
): ReviewedFinding[] {
  const numbered = /^#(\d+)$/.exec(target);
  if (numbered !== null) {
    const found = findings[Number(numbered[1]) - 1];
    if (found !== undefined) return [found];
    throw new GradusError(
      "FINDING_UNKNOWN",
      `there is no finding ${target}, the file has ${findings.length}`,
      {
        hint: "findings are counted from #1 in the order of their file",
      },
    );
  }
  return findings.filter(
    (finding) =>
      names(target, finding.exampleId, finding.sourceId) && (check === null || finding.check === check),
  );
}

/** Whether a person's words name an example: its id, six or more first digits of it, or the dataset's own name. */
export function names(target: string, exampleId: string, sourceId: string): boolean {
  return target === sourceId || (/^[0-9a-f]{6,32}$/.test(target) && exampleId.startsWith(target));
}
