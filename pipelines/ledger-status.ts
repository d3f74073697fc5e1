import path from "node:path";
import { kindOf } from "../io/files.ts";
import { openLedger } from "../io/ledger.ts";
import { isDescription } from "../synth/description-sample.ts";

interface StateCounts {
  readonly finished: number;
  readonly open: number;
  readonly discarded: number;
}

/**
 * What a run's ledger holds: samples by state, and transport failures by code. `descriptions`: those of tables,
 * where a model wrote some, a discarded one being unreadable.
 */
export interface LedgerStatus extends StateCounts {
  readonly descriptions?: StateCounts;
  readonly failures: Readonly<Record<string, number>>;
}

/** Reads a run's ledger, also while another process samples into it; `null` when there is none. */
export async function ledgerStatus(runFolder: string): Promise<LedgerStatus | null> {
  const file = path.join(runFolder, "ledger.sqlite");
  if ((await kindOf(file)) !== "file") return null;
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const counts = { finished: 0, open: 0, discarded: 0 };
    const described = { ...counts };
    for (const sample of ledger.samples()) (isDescription(sample) ? described : counts)[sample.state] += 1;
    const failures = Object.fromEntries(ledger.eventCounts().map(({ code, count }) => [code, count]));
    const hasDescriptions = Object.values(described).some((count) => count > 0);
    return { ...counts, ...(hasDescriptions ? { descriptions: described } : {}), failures };
  } finally {
    await ledger.close();
  }
}

/** One line for a person: `samples: 120 finished, 8 open; failures: MODEL_UNAVAILABLE 3`. */
export function renderLedgerStatus({ descriptions, failures, ...samples }: LedgerStatus): string {
  const parts = [`samples: ${countsText(samples, "discarded")}`];
  if (descriptions !== undefined) {
    parts.push(`descriptions of tables: ${countsText(descriptions, "unreadable")}`);
  }
  const failed = Object.entries(failures).map(([code, count]) => `${code} ${count}`);
  if (failed.length > 0) parts.push(`failures: ${failed.join(", ")}`);
  return parts.join("; ");
}

function countsText({ finished, open, discarded }: StateCounts, discardedName: string): string {
  const others = discarded > 0 ? `, ${discarded} ${discardedName}` : "";
  return `${finished} finished, ${open} open${others}`;
}
