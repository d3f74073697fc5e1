import { benchClusters } from "./clusters.ts";
import { benchCuration } from "./curation.ts";
import { benchExporters } from "./exporters.ts";
import { benchJudging } from "./judging.ts";
import { benchLedger } from "./ledger.ts";
import type { Measured } from "./measured.ts";
import { benchModelClient } from "./model-client.ts";
import { benchRex } from "./rex.ts";
import { benchSampling } from "./sampling.ts";
import { benchServices } from "./services.ts";
import { benchSelfTaught } from "./self-taught.ts";

/** Benchmarks by name. Ratios hold within one run; machines differ. */
const BENCHES: Readonly<Record<string, (short: boolean) => Promise<readonly Measured[]>>> = {
  curation: benchCuration,
  judging: benchJudging,
  exporters: benchExporters,
  rex: benchRex,
  ledger: benchLedger,
  "model-client": benchModelClient,
  sampling: benchSampling,
  services: benchServices,
  clusters: benchClusters,
  "self-taught": benchSelfTaught,
};

/** Left out of a short run: minutes each. */
const LONG: readonly string[] = ["ledger", "model-client", "sampling", "self-taught", "curation"];

/** Runs the benchmarks named on the command line, all without names; `--short` runs the quick ones once. */
async function main(words: readonly string[]): Promise<void> {
  const short = words.includes("--short");
  const named = words.filter((word) => !word.startsWith("--"));
  for (const [name, bench] of Object.entries(BENCHES)) {
    const isWanted = named.length > 0 ? named.includes(name) : !(short && LONG.includes(name));
    if (!isWanted) continue;
    for (const { name: figure, value } of await bench(short)) process.stdout.write(`${figure}: ${value}\n`);
  }
}

await main(process.argv.slice(2));
