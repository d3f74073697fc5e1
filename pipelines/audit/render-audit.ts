import type { AuditedExample, Votes } from "../../core/audit.ts";
import type { AuditTotals } from "../../curation/rank-audited.ts";
import { oneLineText, shortenText } from "../../synth/one-line-text.ts";
import type { TextStyle } from "../terminal-text.ts";

/** Characters of a question or statement in a list. */
const SHOWN = 160;
/** Findings of an example in a list. */
const LISTED = 4;

/** A ranked list for a person: what was audited, then each example with its doubts. */
export function renderAuditList(
  ranked: readonly AuditedExample[],
  totals: AuditTotals,
  view: { readonly top: number; readonly style: TextStyle },
): string {
  const { style } = view;
  const shown = ranked.slice(0, view.top);
  const lines = shown.flatMap((row, place) => {
    const mark = row.flagged ? "!" : " ";
    const head = `${mark} ${place + 1}. ${row.sourceId} ${style.dim(`(${row.databaseId})`)} ${row.score.toFixed(2)}`;
    const question = `     ${style.dim(short(row.question))}`;
    const findings = row.findings.slice(0, LISTED).map((one) => {
      const name = `${one.check}/${one.kind}`;
      return `     ${name} ${one.confidence.toFixed(2)}: ${short(one.message)}`;
    });
    const more = row.findings.length - LISTED;
    return [head, question, ...findings, ...(more > 0 ? [`     … and ${more} more`] : []), ""];
  });
  const left = ranked.length - shown.length;
  const tail = left > 0 ? [`… and ${left} more with findings: --top shows more of them`, ""] : [];
  return [...lines, ...tail, ...totalsOf(totals)].join("\n");
}

function totalsOf(totals: AuditTotals): string[] {
  const statuses = Object.entries(totals.statuses).map(([status, count]) => `${count} ${status}`);
  return [
    `${totals.examples} examples: ${statuses.join(", ")}; ${totals.withFindings} with findings, ${totals.flagged} flagged`,
    ...totals.findings.map(({ check, kind, count }) => `  ${check}/${kind} ${count}`),
  ];
}

function short(text: string): string {
  return oneLineText(shortenText(text, SHOWN));
}

/** The votes on a gold, for a person. */
export function renderVotes(votes: Votes, style: TextStyle): string[] {
  const groups = votes.others.map(
    ({ votes: count, sql }) => `  ${count} for  ${style.dim(oneLineText(sql))}`,
  );
  const failed = votes.voters - votes.ran;
  return [
    `votes: ${votes.agree} of ${votes.ran} for the gold's result${failed > 0 ? `, ${failed} did not run` : ""}`,
    ...groups,
  ];
}
