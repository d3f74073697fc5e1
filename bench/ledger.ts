import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { canonicalJson, identityOf } from "../core/key.ts";
import type { SampleIdentity } from "../core/trajectory.ts";
import { elapsedMs } from "../io/clock.ts";
import { openLedgerConnection } from "../io/ledger-connection.ts";
import { foldJournal } from "../io/ledger-journal.ts";
import { LedgerRows } from "../io/ledger-rows.ts";
import { openLedger } from "../io/ledger.ts";

const EXAMPLES = 125_000;
const SAMPLES_PER_EXAMPLE = 8;
const COMMITS = 2_000;
const EPISODES = 64;

/** A figure of a benchmark, as it is printed. */
export interface BenchFigure {
  readonly name: string;
  readonly value: string;
}

/** What {@link scanLedger} saw, and what it took. */
export interface LedgerScan {
  readonly samples: number;
  readonly open: number;
  readonly ms: number;
  /** The most that the process ever held. */
  readonly peakRssMiB: number;
}

/**
 * Builds a ledger of 1,000,000 samples (half of them finished), opens it in a process of its own to find
 * what is left, and commits turns of 64 concurrent episodes to it.
 */
export async function benchLedger(): Promise<readonly BenchFigure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "gradus-bench-ledger-"));
  const file = path.join(folder, "ledger.sqlite");
  try {
    const buildMs = await buildLedger(file);
    const scan = await scanApart(file);
    const commits = await commitTurns(file);
    return [
      { name: "ledger: samples built", value: `${scan.samples} in ${seconds(buildMs)}` },
      { name: "ledger: size on disk", value: `${Math.round((await stat(file)).size / 2 ** 20)} MiB` },
      { name: "ledger: open and find what is left", value: `${scan.open} samples in ${seconds(scan.ms)}` },
      { name: "ledger: peak memory of that process", value: `${scan.peakRssMiB} MiB` },
      { name: "ledger: commits of 64 concurrent episodes", value: `${Math.round(commits)} a second` },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a ledger to read and counts its open samples. */
export async function scanLedger(file: string): Promise<LedgerScan> {
  const start = elapsedMs();
  const ledger = await openLedger(file, { readOnly: true });
  let samples = 0;
  let open = 0;
  for (const sample of ledger.samples()) {
    samples += 1;
    if (sample.state === "open") open += 1;
  }
  await ledger.close();
  const peakRssMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  return { samples, open, ms: elapsedMs() - start, peakRssMiB };
}

async function scanApart(file: string): Promise<LedgerScan> {
  const code = `import { scanLedger } from ${JSON.stringify(import.meta.url)};
    console.log(JSON.stringify(await scanLedger(${JSON.stringify(file)})));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code]);
  return JSON.parse(stdout) as LedgerScan;
}

async function buildLedger(file: string): Promise<number> {
  const start = elapsedMs();
  const connection = await openLedgerConnection(file);
  const rows = new LedgerRows(connection, file);
  const outcome = JSON.stringify({ messages: "x".repeat(800) });
  const insert = connection.transaction((from: number, to: number) => {
    for (let example = from; example < to; example += 1) insertExample(rows, example, outcome);
  });
  for (let example = 0; example < EXAMPLES; example += 1_000) insert(example, example + 1_000);
  foldJournal(connection);
  connection.close();
  return elapsedMs() - start;
}

function insertExample(rows: LedgerRows, example: number, outcome: string): void {
  const exampleId = identityOf(example);
  for (let sampleIndex = 0; sampleIndex < SAMPLES_PER_EXAMPLE; sampleIndex += 1) {
    const finished = sampleIndex % 2 === 0;
    rows.insertSample({
      sampleId: identityOf([example, sampleIndex]),
      exampleId,
      round: 0,
      sampleIndex,
      state: finished ? "finished" : "open",
      identity: canonicalJson(identity(exampleId, sampleIndex)),
      outcome: finished ? outcome : null,
    });
  }
}

/** Commits a second. */
async function commitTurns(file: string): Promise<number> {
  const ledger = await openLedger(file);
  const content = "SELECT count(*) FROM singer WHERE country = 'France' ".repeat(40);
  const episode = async (number: number): Promise<void> => {
    const sampleId = identityOf([number, 1]);
    for (let turn = 0; turn < COMMITS / EPISODES; turn += 1) {
      const usage = { promptTokens: 900, completionTokens: 500, costMicroUsd: null };
      const answer = { content, reasoning: null, toolCalls: [], finishReason: "stop", usage } as const;
      const reply = { ...answer, toolCalls: [], rawExact: false, tokenIds: null, servedModel: "student" };
      await ledger.commitReply({ sampleId, turn, requestHash: identityOf(turn), reply });
    }
  };
  const start = elapsedMs();
  await Promise.all(Array.from({ length: EPISODES }, (_, number) => episode(number)));
  const ms = elapsedMs() - start;
  await ledger.close();
  return (Math.floor(COMMITS / EPISODES + 1) * EPISODES * 1_000) / ms;
}

function identity(exampleId: string, sampleIndex: number): SampleIdentity {
  return {
    exampleId,
    question: "What are the names of the singers from France who took part in a concert in 2014?",
    evidence: null,
    history: [],
    schemaTextDigest: "0".repeat(64),
    schemaDialect: { id: "ddl", version: 1, options: {} },
    profileDigest: null,
    databaseDigest: "0".repeat(64),
    scaffold: { id: "direct", version: 1, options: {} },
    tools: [],
    model: { name: "student", revision: "r1" },
    sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 2048 },
    round: 0,
    sampleIndex,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
