import { benchJudging } from "./judging.ts";
import type { Measured } from "./measured.ts";
import { benchExporters } from "./exporters.ts";

/** Runs the benchmarks and prints ratios and rates. `--short` runs each once; a name runs that one alone. */
const BENCHES: Readonly<Record<string, (short: boolean) => Promise<readonly Measured[]>>> = {
  judging: benchJudging,
  exporters: benchExporters,
};

const short = process.argv.includes("--short");
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  for (const { name: figure, value } of await bench(short)) process.stdout.write(`${figure}: ${value}\n`);
}
