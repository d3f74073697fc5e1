import path from "node:path";
import { kindOf } from "../io/files.ts";
import { openLedger } from "../io/ledger.ts";

/** What a run's ledger holds: samples by state, and transport failures by code. */
export interface LedgerStatus {
  readonly finished: number;
  readonly open: number;
  readonly discarded: number;
  readonly failures: Readonly<Record<string, number>>;
}

/** Reads a run's ledger, also while another process samples into it; `null` when there is none. */
export async function ledgerStatus(runFolder: string): Promise<LedgerStatus | null> {
  const file = path.join(runFolder, "ledger.sqlite");
  if ((await kindOf(file)) !== "file") return null;
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const counts = { finished: 0, open: 0, discarded: 0 };
    for (const { state } of ledger.samples()) counts[state] += 1;
    const failures = Object.fromEntries(ledger.eventCounts().map(({ code, count }) => [code, count]));
    return { ...counts, failures };
  } finally {
    await ledger.close();
  }
}

/** One line for a person: `samples: 120 finished, 8 open; failures: MODEL_UNAVAILABLE 3`. */
export function renderLedgerStatus({ finished, open, discarded, failures }: LedgerStatus): string {
  const parts = [`${finished} finished`, `${open} open`];
  if (discarded > 0) parts.push(`${discarded} discarded`);
  const failed = Object.entries(failures).map(([code, count]) => `${code} ${count}`);
  return `samples: ${parts.join(", ")}${failed.length === 0 ? "" : `; failures: ${failed.join(", ")}`}`;
}
