import { Example } from "../core/example.ts";
import { SeededRandom } from "../core/random.ts";
import { GoldRow, KeptExample, PassRate, SplitExample } from "../core/rows.ts";
import type { Rows, Stage } from "../core/stage.ts";
import { deduplicateStage } from "../curation/deduplicate.ts";
import { filterStage } from "../curation/filter.ts";
import { guardStage } from "../curation/guard.ts";
import { orderStage } from "../curation/order.ts";
import { passRatesStage } from "../curation/pass-rates.ts";
import { splitStage } from "../curation/split.ts";
import { remove } from "../io/files.ts";
import { makeScratchFolder } from "../io/scratch-folder.ts";
import { database, example, goldRow, sample } from "../test/curation/sample-rows.ts";
import { rowsOf } from "../test/fakes/run-stage.ts";
import type { Measured } from "./measured.ts";
import { fileRows, runToFiles } from "./stage-files.ts";

const SAMPLES = 20;
const SIZES = [1_000, 10_000, 100_000];
const GUARDED = 2_000;
const QUESTIONS_A_DATABASE = 70;
const THINGS =
  `singer stadium concert boat harbour ferry employee department student course teacher exam customer
  order product supplier invoice flight airport pilot match player team season film actor director hospital doctor
  patient recipe ingredient farm animal vehicle garage book author library museum painting artist`.split(
    /\s+/,
  );
const TRAITS =
  `name age country city salary budget price weight year rating capacity length height address email
  status type color number date score level floor distance duration language`.split(/\s+/);

/**
 * Time and peak memory of counting pass rates, filtering, dropping near duplicates, guarding against 2,000 questions,
 * splitting and ordering, at growing numbers of questions with 20 samples each; rows go through files, as in a run. The
 * exponent is that of the time between the last two sizes.
 */
export async function benchCuration(short: boolean): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  const seconds: number[] = [];
  const sizes = short ? SIZES.slice(0, 2) : SIZES;
  for (const questions of sizes) {
    const began = performance.now();
    const kept = await curate(questions);
    seconds.push((performance.now() - began) / 1_000);
    const peak = process.resourceUsage().maxRSS / 1_024;
    const value = `${seconds.at(-1)?.toFixed(1)} s, peak ${peak.toFixed(0)} MB, ${kept} in order`;
    measured.push({ name: `curation, ${questions} questions of ${SAMPLES} samples`, value });
  }
  const [before = 1, last = 1] = seconds.slice(-2);
  const value = (Math.log10(last / before) / Math.log10((sizes.at(-1) ?? 1) / (sizes.at(-2) ?? 1))).toFixed(
    2,
  );
  return [...measured, { name: "curation, growth exponent", value }];
}

function questionOf(name: string): string {
  const random = new SeededRandom(1, "bench question", name);
  const [thing, other] = [random.pick(THINGS) ?? "", random.pick(THINGS) ?? ""];
  const [trait, second, third] = [random.pick(TRAITS), random.pick(TRAITS), random.pick(TRAITS)];
  return [
    `What are the ${trait} and ${second} of every ${thing} whose ${third} is above ${random.integer(900)}?`,
    `How many ${thing}s have a ${trait} below the average ${second} of all ${other}s?`,
    `List the ${trait} of each ${thing} together with the ${second} of its ${other}, sorted by ${third}.`,
    `Which ${thing} has the highest ${trait} among those without any ${other} in ${1900 + random.integer(125)}?`,
  ][random.integer(4)] as string;
}

function exampleOf(prefix: string, index: number): Example {
  const name = `${prefix}${index}-`;
  const databaseId = `${prefix}database-${Math.floor(index / QUESTIONS_A_DATABASE)}`;
  return example(name, { question: questionOf(name), databaseId });
}

async function curate(questions: number): Promise<number> {
  const folder = makeScratchFolder("bench-curation");
  const places = Array.from({ length: questions }, (_, index) => index);
  const each = <T>(make: (index: number) => Iterable<T>): Rows<T> =>
    async function* () {
      for (const index of places) for (const row of make(index)) yield await Promise.resolve(row);
    };
  const run = (stage: unknown, inputs: Record<string, Rows<unknown>>, options: unknown) =>
    runToFiles(stage as Stage, { inputs, options, folder });
  try {
    const loaded = await run(
      {
        ...filterStage,
        name: "loaded",
        outputs: { examples: Example, golds: GoldRow },
        run: loadedRows(places),
      },
      {},
      { trivial: null, intractable: null },
    );
    const examples = fileRows(loaded["examples"], Example);
    const databaseIds = new Set(places.map((index) => Math.floor(index / QUESTIONS_A_DATABASE)));
    const databases = rowsOf([...databaseIds].map((id) => database(`q-database-${id}`)));
    const rates = await run(passRatesStage, { examples, samples: each(samplesOf), groups: rowsOf([]) }, {});
    const bounds = { minimumN: SAMPLES };
    const filtered = await run(
      filterStage,
      { examples, golds: fileRows(loaded["golds"], GoldRow), rates: fileRows(rates["rates"], PassRate) },
      { trivial: bounds, intractable: bounds },
    );
    const single = await run(
      deduplicateStage,
      { kept: fileRows(filtered["kept"], KeptExample), examples },
      { level: "near" },
    );
    const guarded = Array.from({ length: GUARDED }, (_, index) => exampleOf("guarded-", index));
    const safe = await run(
      guardStage,
      {
        kept: fileRows(single["kept"], KeptExample),
        examples,
        databases,
        guarded: rowsOf(guarded),
        guardedDatabases: rowsOf([]),
      },
      {},
    );
    const split = await run(splitStage, { kept: fileRows(safe["kept"], KeptExample) }, {});
    const ordered = await run(
      orderStage,
      { examples: fileRows(split["examples"], SplitExample), loaded: examples, selected: rowsOf([]) },
      {},
    );
    let count = 0;
    for await (const _ of fileRows(ordered["examples"], { parse: (value) => value })()) count += 1;
    return count;
  } finally {
    await remove(folder);
  }
}

function loadedRows(places: readonly number[]) {
  return async function* () {
    for (const index of places) {
      const row = exampleOf("q-", index);
      yield await Promise.resolve({ port: "examples", row });
      yield { port: "golds", row: { ...goldRow(`q-${index}-`), databaseId: row.databaseId } };
    }
  };
}

function samplesOf(index: number) {
  const random = new SeededRandom(1, "bench rate", index);
  const right = random.integer(SAMPLES + 1);
  return Array.from({ length: SAMPLES }, (_, sampleIndex) =>
    sample(`q-${index}-`, sampleIndex, sampleIndex < right ? 1 : 0),
  );
}
