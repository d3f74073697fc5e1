import * as fc from "fast-check";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mergeLedgers } from "../../io/ledger-merge.ts";
import { openLedger, type SqliteLedger } from "../../io/ledger.ts";
import { fakeId, identityFor, replyOf, trajectoryOf } from "./fixtures/ledger-samples.ts";

const EXAMPLE = fakeId("e", 1);
let folder: string;
let files = 0;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "ledger-merge-test-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** How one ledger has a sample: a letter per turn (upper case: with an observation), and how it ended. */
interface Plan {
  readonly sample: number;
  readonly turns: string;
  readonly end: "" | "discarded" | "x" | "y";
  readonly events: number;
  readonly dropFrom: number;
}

function newFile(): string {
  files += 1;
  return path.join(folder, `${files}.sqlite`);
}

async function writePlan(ledger: SqliteLedger, plan: Plan): Promise<void> {
  const sampleId = fakeId("5", plan.sample);
  await ledger.openSample(sampleId, identityFor(EXAMPLE, plan.sample));
  for (const [turn, letter] of Array.from(plan.turns).entries()) {
    const low = letter.toLowerCase();
    await ledger.commitReply({ sampleId, turn, requestHash: low, reply: replyOf(low) });
    if (letter !== low) await ledger.commitObservation(sampleId, turn, { saw: low, at: plan.events });
  }
  if (plan.dropFrom < plan.turns.length) await ledger.dropTurnsFrom(sampleId, plan.dropFrom);
  if (plan.end === "discarded") await ledger.finish(sampleId, { kind: "discarded", reason: "length" });
  else if (plan.end !== "") {
    await ledger.finish(sampleId, { kind: "finished", trajectory: trajectoryOf(sampleId, plan.end) });
  }
  for (let event = 0; event < plan.events; event += 1) {
    await ledger.record({ sampleId, turn: 0, code: "MODEL_UNAVAILABLE", message: "503" });
  }
}

async function ledgerOf(plans: readonly Plan[]): Promise<string> {
  const file = newFile();
  const ledger = await openLedger(file);
  for (const plan of plans) await writePlan(ledger, plan);
  await ledger.close();
  return file;
}

/** All that a reader can see of a ledger. */
async function contents(file: string): Promise<unknown> {
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const samples = [...ledger.samples()].map((sample) => ({
      ...sample,
      identity: ledger.identity(sample.sampleId),
      turns: ledger.turns(sample.sampleId),
      dropped: ledger.droppedTurns(sample.sampleId),
      outcome: ledger.outcome(sample.sampleId),
    }));
    return { samples, events: ledger.eventCounts() };
  } finally {
    await ledger.close();
  }
}

/** The letters of a sample after merging: turns, then after a slash the dropped turns, and the state. */
async function summary(file: string, sample = 0): Promise<string> {
  const ledger = await openLedger(file, { readOnly: true });
  const id = fakeId("5", sample);
  const letters = (turns: ReturnType<typeof ledger.turns>): string =>
    turns
      .map((turn) => (turn.observation === null ? turn.requestHash : turn.requestHash.toUpperCase()))
      .join("");
  const state = ledger.samplesOf(EXAMPLE).find((row) => row.sampleId === id)?.state;
  const text = `${letters(ledger.turns(id))}/${letters(ledger.droppedTurns(id))} ${state}`;
  await ledger.close();
  return text;
}

const plan = (turns: string, end: Plan["end"] = ""): Plan => ({
  sample: 0,
  turns,
  end,
  events: 0,
  dropFrom: 9,
});

describe("mergeLedgers", () => {
  it.each([
    ["finished before open", plan("A", "x"), plan("BCD"), "A/BCD finished"],
    ["finished before discarded", plan("A", "x"), plan("A", "discarded"), "A/ finished"],
    ["discarded before open", plan("a", "discarded"), plan("AB"), "a/B discarded"],
    ["the episode that got further", plan("AB"), plan("A"), "AB/ open"],
    ["the episode that saw more", plan("AB"), plan("Ab"), "AB/ open"],
  ])("prefers %s", async (_, left, right, expected) => {
    const sources = [await ledgerOf([left]), await ledgerOf([right])];
    for (const order of [sources, sources.toReversed()]) {
      const target = newFile();
      await mergeLedgers(target, order);
      expect(await summary(target)).toBe(expected);
    }
  });

  it("keeps one of two endings by their digests, and reports the sample", async () => {
    const sources = [await ledgerOf([plan("A", "x")]), await ledgerOf([plan("B", "y")])];
    const before = await Promise.all(sources.map((source) => readFile(source)));
    const [one, other] = [newFile(), newFile()];
    const report = await mergeLedgers(one, sources);
    expect(report).toMatchObject({ added: 1, conflicts: [fakeId("5", 0)] });
    expect((await mergeLedgers(other, sources.toReversed())).conflicts).toEqual([fakeId("5", 0)]);
    expect(await contents(one)).toEqual(await contents(other));
    expect(["A/B finished", "B/A finished"]).toContain(await summary(one));
    expect(await Promise.all(sources.map((source) => readFile(source)))).toEqual(before);
  });

  it("unites the ledgers of workers, and adds to a target that has rows", async () => {
    const target = await ledgerOf([plan("A", "x")]);
    const worker = await ledgerOf([{ ...plan("AB", "discarded"), sample: 1, events: 2 }]);
    expect(await mergeLedgers(target, [worker, target])).toEqual({ added: 1, replaced: 0, conflicts: [] });
    expect(await summary(target, 0)).toBe("A/ finished");
    expect(await summary(target, 1)).toBe("AB/ discarded");
    expect(await mergeLedgers(target, [worker])).toEqual({ added: 0, replaced: 0, conflicts: [] });
  });

  it("refuses one id with two identities, and a source that is not there", async () => {
    const target = await ledgerOf([plan("A")]);
    const other = newFile();
    const ledger = await openLedger(other);
    await ledger.openSample(fakeId("5", 0), identityFor(EXAMPLE, 7));
    await ledger.close();
    await expect(mergeLedgers(target, [other])).rejects.toMatchObject({ code: "LEDGER_IDENTITY_CONFLICT" });
    await expect(mergeLedgers(target, [newFile()])).rejects.toMatchObject({ code: "LEDGER_MISSING" });
    expect(await summary(target)).toBe("A/ open");
  });

  it("does not depend on the order, the grouping or the number of times", async () => {
    const plans = fc.uniqueArray(
      fc.record({
        sample: fc.integer({ min: 0, max: 1 }),
        turns: fc.stringMatching(/^[aAbB]{0,3}$/),
        end: fc.constantFrom("" as const, "discarded" as const, "x" as const, "y" as const),
        events: fc.integer({ min: 0, max: 2 }),
        dropFrom: fc.integer({ min: 0, max: 4 }),
      }),
      { selector: (made) => made.sample, maxLength: 2 },
    );
    await fc.assert(
      fc.asyncProperty(plans, plans, plans, async (a, b, c) => {
        const [first, second, third] = [await ledgerOf(a), await ledgerOf(b), await ledgerOf(c)];
        const [all, reversed, grouped, inner] = [newFile(), newFile(), newFile(), newFile()];
        await mergeLedgers(all, [first, second, third]);
        await mergeLedgers(reversed, [third, second, first, second]);
        await mergeLedgers(inner, [third, second]);
        await mergeLedgers(grouped, [first, inner]);
        const expected = await contents(all);
        expect(await contents(reversed)).toEqual(expected);
        expect(await contents(grouped)).toEqual(expected);
        await mergeLedgers(all, [second, inner, first]);
        expect(await contents(all)).toEqual(expected);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});
