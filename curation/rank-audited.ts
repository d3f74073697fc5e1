import type { AuditedExample } from "../core/audit.ts";

/** Examples with a finding, the likeliest wrong first; equal ones in the order that they came in. */
export function rankAudited(rows: readonly AuditedExample[]): AuditedExample[] {
  return rows
    .map((row, place) => ({ row, place }))
    .filter(({ row }) => row.findings.length > 0)
    .sort(
      (left, right) =>
        right.row.score - left.row.score || lead(right.row) - lead(left.row) || left.place - right.place,
    )
    .map(({ row }) => row);
}

/** By how much another result leads over the gold's, as a share of the samples that ran. */
function lead({ votes }: AuditedExample): number {
  if (votes === null || votes.ran === 0) return 0;
  return ((votes.others[0]?.votes ?? 0) - votes.agree) / votes.ran;
}

/** Figures of an audit. */
export interface AuditTotals {
  readonly examples: number;
  /** By status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly flagged: number;
  readonly withFindings: number;
  /** Findings by `check/kind`, the commonest first. */
  readonly findings: readonly { readonly check: string; readonly kind: string; readonly count: number }[];
}

/** Counts what an audit found. */
export function auditTotals(rows: readonly AuditedExample[]): AuditTotals {
  const statuses: Record<string, number> = {};
  const kinds = new Map<string, { check: string; kind: string; count: number }>();
  for (const row of rows) {
    statuses[row.status] = (statuses[row.status] ?? 0) + 1;
    for (const { check, kind } of row.findings) {
      const key = `${check}/${kind}`;
      const known = kinds.get(key);
      if (known === undefined) kinds.set(key, { check, kind, count: 1 });
      else known.count += 1;
    }
  }
  return {
    examples: rows.length,
    statuses,
    flagged: rows.filter(({ flagged }) => flagged).length,
    withFindings: rows.filter(({ findings }) => findings.length > 0).length,
    findings: [...kinds]
      .sort(([left, one], [right, other]) => other.count - one.count || (left < right ? -1 : 1))
      .map(([, counted]) => counted),
  };
}
