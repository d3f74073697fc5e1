/** A figure that others published, to be read beside ours. */
export interface PublishedResult {
  /** Loader and split that it is of. */
  readonly dataset: string;
  readonly split: string;
  readonly system: string;
  /** The metric of ours that is nearest to theirs. */
  readonly metric: string;
  /** How answers were chosen: `greedy`, `mean of 8 runs`, `majority of 8`, `consensus of 16`, `pass@16`, … */
  readonly setting: string;
  /** 0 to 1. */
  readonly value: number;
  /** Standard deviation over runs, 0 to 1; `null` where none is given. */
  readonly deviation: number | null;
  readonly source: string;
}

const SOURCES = {
  dual: "DualSQL, arXiv:2609.18135",
  retool: "ReToolSQL, arXiv:2608.27796",
  trail: "SQL-Trail, section 5.1",
  mtsql: "MTSQL-R1, table 2",
} as const;

/** Dataset, split, metric and source of rows that follow: system, setting, percent, and its deviation. */
type Rows = readonly (readonly [system: string, setting: string, percent: number, deviation?: number])[];

function rows(
  place: Pick<PublishedResult, "dataset" | "split" | "metric">,
  source: keyof typeof SOURCES,
  figures: Rows,
): PublishedResult[] {
  return figures.map(([system, setting, percent, deviation]) => ({
    ...place,
    system,
    setting,
    value: percent / 100,
    deviation: deviation === undefined ? null : deviation / 100,
    source: SOURCES[source],
  }));
}

const BIRD = { dataset: "bird", split: "dev" } as const;
const ORACLE = "mean of 8 runs, oracle schema";
const EIGHT = "mean of 8 runs";

/**
 * Figures of the papers whose systems gradus serves, as they print them: on their own copies of the data, with their
 * own evaluators. They are references beside ours, not targets of a test.
 */
export const PUBLISHED_RESULTS: readonly PublishedResult[] = [
  ...rows({ ...BIRD, metric: "bird-ex" }, "dual", [
    ["DualSQL-4B", EIGHT, 68.0, 0.74],
    ["DualSQL-8B", EIGHT, 71.1, 0.23],
    ["DualSQL-8B, SQL generator alone", EIGHT, 69.6, 0.28],
    ["DualSQL-4B", ORACLE, 71.7, 0.4],
    ["DualSQL-8B", ORACLE, 76.5, 0.5],
  ]),
  ...rows({ ...BIRD, metric: "rex" }, "dual", [
    ["DualSQL-4B", EIGHT, 64.0, 0.75],
    ["DualSQL-8B", EIGHT, 68.6, 0.21],
    ["DualSQL-8B, SQL generator alone", EIGHT, 66.7, 0.3],
    ["DualSQL-4B", ORACLE, 66.8, 0.64],
    ["DualSQL-8B", ORACLE, 72.1, 0.48],
  ]),
  ...rows({ ...BIRD, metric: "schema-linking" }, "dual", [
    ["DualSQL-4B, linker", "F1", 90.3],
    ["DualSQL-8B, linker", "F1", 90.8],
    ["DualSQL-4B, linker", "complete recall", 63.8],
    ["DualSQL-8B, linker", "complete recall", 65.8],
  ]),
  ...rows({ ...BIRD, metric: "bird-ex" }, "retool", [
    ["ReToolSQL 31B, SFT then RFT", "greedy", 74.32],
    ["ReToolSQL 31B, SFT then RFT", "consensus of 16", 74.77],
    ["ReToolSQL 31B, SFT then RFT", "pass@16", 81.94],
    ["ReToolSQL 31B, RFT", "greedy", 73.66],
    ["ReToolSQL 31B, RFT", "consensus of 16", 74.12],
    ["ReToolSQL 31B, SFT", "greedy", 72.69],
    ["ReToolSQL 31B, SFT", "pass@16", 81.29],
  ]),
  ...rows({ ...BIRD, metric: "bird-ex" }, "trail", [
    ["SQL-Trail-7B", "greedy", 60.1],
    ["SQL-Trail-7B", "majority of 8", 64.2],
  ]),
  ...rows({ dataset: "spider", split: "dev", metric: "spider-ex" }, "trail", [
    ["SQL-Trail-7B", "as printed", 86.8],
    ["SQL-Trail-14B", "as printed", 87.1],
  ]),
  ...rows({ dataset: "cosql", split: "dev", metric: "spider-ex" }, "mtsql", [
    ["MTSQL-R1 1.7B", "as printed", 77.3],
    ["MTSQL-R1 4B", "as printed", 79.9],
  ]),
  ...rows({ dataset: "cosql", split: "dev", metric: "spider-em" }, "mtsql", [
    ["MTSQL-R1 1.7B", "as printed", 63.5],
    ["MTSQL-R1 4B", "as printed", 65.2],
  ]),
  ...rows({ dataset: "sparc", split: "dev", metric: "spider-ex" }, "mtsql", [
    ["MTSQL-R1 1.7B", "as printed", 76.2],
    ["MTSQL-R1 4B", "as printed", 79.0],
  ]),
  ...rows({ dataset: "sparc", split: "dev", metric: "spider-em" }, "mtsql", [
    ["MTSQL-R1 1.7B", "as printed", 66.1],
    ["MTSQL-R1 4B", "as printed", 68.7],
  ]),
];

/** The published figures of some datasets' splits by some metrics, in their order. */
export function publishedFor(
  datasets: readonly { readonly loader: string; readonly split: string }[],
  metrics: readonly string[],
): PublishedResult[] {
  return PUBLISHED_RESULTS.filter(
    ({ dataset, split, metric }) =>
      metrics.includes(metric) && datasets.some((one) => one.loader === dataset && one.split === split),
  );
}
