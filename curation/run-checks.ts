import type { Check, CheckSubject, Doubt, ProbeAnswers } from "../core/check.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import { Finding } from "../core/finding.ts";
import type { QueryReply } from "../core/sql-runner.ts";

/** How often a check may ask for more probes with the answers that it got. */
const ROUNDS = 3;

/** What a check has run: the reply to a statement on the database of the example. */
export type RunProbe = (sql: string, maxRows: number) => Promise<QueryReply>;

/**
 * The findings of some checks on one example, the more confident first, then by check and kind.
 * @throws CHECK_FAILED naming the check and the example when a check throws or names a kind that it does not have.
 */
export async function runChecks(
  checks: readonly Check[],
  subject: CheckSubject,
  run: RunProbe,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const answers = await probe(check, subject, run);
    for (const doubt of attempt(check, subject, () => check.find(subject, answers))) {
      findings.push(findingOf(check, subject, doubt));
    }
  }
  return sortFindings(findings);
}

/** The more confident first, then by check, kind and message. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (left, right) => right.confidence - left.confidence || (orderKey(left) < orderKey(right) ? -1 : 1),
  );
}

function orderKey({ check, kind, message }: Finding): string {
  return `${check} ${kind} ${message}`;
}

async function probe(check: Check, subject: CheckSubject, run: RunProbe): Promise<ProbeAnswers> {
  const answers = new Map<string, QueryReply>();
  for (let round = 0; round < ROUNDS && check.probes !== undefined; round += 1) {
    const probes = attempt(check, subject, () => check.probes?.(subject, answers) ?? []);
    const open = probes.filter(({ name }) => !answers.has(name));
    if (open.length === 0) break;
    for (const { name, sql, maxRows } of open) answers.set(name, await run(sql, maxRows));
  }
  return answers;
}

function attempt<T>(check: Check, { example }: CheckSubject, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    const message = `the check ${check.id} failed on ${example.sourceId}: ${messageOf(thrown)}`;
    throw new GradusError("CHECK_FAILED", message, {
      site: { plug: check.id, rowId: example.id },
      hint: `leave it out with --checks, and report it`,
      cause: thrown,
    });
  }
}

function findingOf(check: Check, { example }: CheckSubject, doubt: Doubt): Finding {
  const kind = check.kinds[doubt.kind];
  if (kind === undefined) {
    throw new GradusError("CHECK_FAILED", `the check ${check.id} has no kind ${doubt.kind}`, {
      site: { plug: check.id, rowId: example.id },
    });
  }
  return Finding.parse({
    exampleId: example.id,
    dataset: example.dataset.name,
    split: example.dataset.split,
    sourceId: example.sourceId,
    check: check.id,
    kind: doubt.kind,
    severity: kind.severity,
    confidence: kind.confidence,
    message: doubt.message,
    evidence: JSON.parse(JSON.stringify(doubt.evidence)) as unknown,
    suggestion: doubt.suggestion ?? null,
  });
}
