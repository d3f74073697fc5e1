import Sqlite from "better-sqlite3";
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SampleIdentity } from "../../core/trajectory.ts";
import { openLedgerConnection } from "../../io/ledger-connection.ts";
import { openLedger, SqliteLedger } from "../../io/ledger.ts";
import { fakeId, identityFor, replyOf, trajectoryOf } from "./fixtures/ledger-samples.ts";

const SAMPLE = fakeId("5", 1);
const EXAMPLE = fakeId("e", 1);
let folder: string;
let file: string;
let ledger: SqliteLedger;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "ledger-test-"));
  file = path.join(folder, "ledger.sqlite");
  ledger = await openLedger(file);
});

afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function reopen(): Promise<void> {
  await ledger.close();
  ledger = await openLedger(file);
}

async function openWithTurns(...contents: string[]): Promise<void> {
  await ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0));
  for (const [turn, content] of contents.entries()) {
    await ledger.commitReply({ sampleId: SAMPLE, turn, requestHash: `h${turn}`, reply: replyOf(content) });
    await ledger.commitObservation(SAMPLE, turn, { of: content });
  }
}

/** Changes the file behind the ledger's back. */
async function damage(sql: string): Promise<void> {
  await ledger.close();
  const connection = new Sqlite(file);
  connection.exec(sql);
  connection.close();
  ledger = await openLedger(file);
}

describe("turns", () => {
  it("come back as they were committed, after reopening too, with the order of keys", async () => {
    await openWithTurns("first", "é\n漢字 \u{1d11e} \ud800 \u0000");
    await ledger.commitReply({
      sampleId: SAMPLE,
      turn: 2,
      requestHash: "h2",
      reply: replyOf("x".repeat(100_000)),
    });
    await reopen();
    const turns = ledger.turns(SAMPLE);
    expect(turns).toEqual([
      { sampleId: SAMPLE, turn: 0, requestHash: "h0", reply: replyOf("first"), observation: { of: "first" } },
      {
        sampleId: SAMPLE,
        turn: 1,
        requestHash: "h1",
        reply: replyOf("é\n漢字 \u{1d11e} \ud800 \u0000"),
        observation: { of: "é\n漢字 \u{1d11e} \ud800 \u0000" },
      },
      {
        sampleId: SAMPLE,
        turn: 2,
        requestHash: "h2",
        reply: replyOf("x".repeat(100_000)),
        observation: null,
      },
    ]);
    expect(JSON.stringify(turns[0]?.reply.toolCalls[0]?.arguments)).toBe('{"sql":"SELECT 1","limit":5}');
    expect(ledger.turns(fakeId("5", 2))).toEqual([]);
  });

  it("may be committed again as they are, and not otherwise", async () => {
    await openWithTurns("first");
    const again = { sampleId: SAMPLE, turn: 0, requestHash: "h0", reply: replyOf("first") };
    await ledger.commitReply(again);
    await ledger.commitObservation(SAMPLE, 0, { of: "first" });
    await expect(ledger.commitReply({ ...again, requestHash: "other" })).rejects.toMatchObject({
      code: "LEDGER_TURN_CONFLICT",
    });
    await expect(ledger.commitReply({ ...again, reply: replyOf("other") })).rejects.toMatchObject({
      code: "LEDGER_TURN_CONFLICT",
    });
    await expect(ledger.commitObservation(SAMPLE, 0, "other")).rejects.toMatchObject({
      code: "LEDGER_TURN_CONFLICT",
    });
    await expect(ledger.commitReply({ ...again, turn: 2 })).rejects.toMatchObject({
      code: "LEDGER_TURN_GAP",
    });
    await expect(ledger.commitObservation(SAMPLE, 1, null)).rejects.toMatchObject({
      code: "LEDGER_TURN_MISSING",
    });
    expect(ledger.turns(SAMPLE)).toHaveLength(1);
  });

  it("refuses what is no validated reply", async () => {
    await openWithTurns();
    const reply = { ...replyOf("x"), error: "insufficient funds" };
    await expect(
      ledger.commitReply({ sampleId: SAMPLE, turn: 0, requestHash: "h", reply }),
    ).rejects.toMatchObject({ code: "LEDGER_VALUE_INVALID" });
    await expect(
      ledger.commitReply({ sampleId: fakeId("5", 9), turn: 0, requestHash: "h", reply: replyOf("x") }),
    ).rejects.toMatchObject({ code: "LEDGER_SAMPLE_MISSING" });
  });

  it("set aside are kept, and the episode goes on from there", async () => {
    await openWithTurns("a", "b", "c");
    await ledger.dropTurnsFrom(SAMPLE, 1);
    await ledger.commitReply({ sampleId: SAMPLE, turn: 1, requestHash: "new", reply: replyOf("B") });
    await reopen();
    expect(ledger.turns(SAMPLE).map((turn) => turn.reply.content)).toEqual(["a", "B"]);
    expect(ledger.droppedTurns(SAMPLE)).toEqual([
      { sampleId: SAMPLE, turn: 1, requestHash: "h1", reply: replyOf("b"), observation: { of: "b" } },
      { sampleId: SAMPLE, turn: 2, requestHash: "h2", reply: replyOf("c"), observation: { of: "c" } },
    ]);
  });
});

describe("samples", () => {
  it("are known by one identity", async () => {
    await ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0));
    await ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0));
    await expect(ledger.openSample(SAMPLE, identityFor(EXAMPLE, 1))).rejects.toMatchObject({
      code: "LEDGER_IDENTITY_CONFLICT",
    });
    expect(ledger.identity(SAMPLE)).toEqual(identityFor(EXAMPLE, 0));
    expect(ledger.identity(fakeId("5", 2))).toBeUndefined();
  });

  it("end once: finished with a trajectory, or discarded with a reason", async () => {
    const discarded = fakeId("5", 2);
    const trajectory = trajectoryOf(SAMPLE, "y".repeat(50_000));
    await openWithTurns("a");
    await ledger.openSample(discarded, identityFor(EXAMPLE, 1));
    expect(ledger.outcome(SAMPLE)).toBeUndefined();
    await ledger.finish(SAMPLE, { kind: "finished", trajectory });
    await ledger.finish(SAMPLE, { kind: "finished", trajectory });
    await ledger.finish(discarded, { kind: "discarded", reason: "length" });
    await expect(
      ledger.finish(SAMPLE, { kind: "finished", trajectory: trajectoryOf(SAMPLE, "other") }),
    ).rejects.toMatchObject({ code: "LEDGER_OUTCOME_CONFLICT" });
    await expect(ledger.finish(SAMPLE, { kind: "discarded", reason: "late" })).rejects.toMatchObject({
      code: "LEDGER_OUTCOME_CONFLICT",
    });
    await expect(
      ledger.finish(discarded, { kind: "finished", trajectory: trajectoryOf(SAMPLE, "x") }),
    ).rejects.toMatchObject({ code: "LEDGER_VALUE_INVALID" });
    await expect(
      ledger.commitReply({ sampleId: SAMPLE, turn: 1, requestHash: "h", reply: replyOf("late") }),
    ).rejects.toMatchObject({ code: "LEDGER_SAMPLE_FINISHED" });
    await expect(ledger.dropTurnsFrom(SAMPLE, 0)).rejects.toMatchObject({ code: "LEDGER_SAMPLE_FINISHED" });
    await reopen();
    expect(ledger.outcome(SAMPLE)).toEqual({ kind: "finished", trajectory });
    expect(ledger.outcome(discarded)).toEqual({ kind: "discarded", reason: "length" });
  });

  it("are listed by example, round and index in pages, while others are written", async () => {
    const identities: SampleIdentity[] = [];
    for (let example = 0; example < 700; example += 1) {
      for (const [round, index] of [
        [1, 0],
        [0, 1],
        [0, 0],
      ] as const) {
        identities.push(identityFor(fakeId("e", example), index, round));
      }
    }
    identities.reverse();
    await Promise.all(identities.map((identity, number) => ledger.openSample(fakeId("5", number), identity)));
    await ledger.finish(fakeId("5", 0), { kind: "discarded", reason: "length" });
    const seen: string[] = [];
    for (const sample of ledger.samples()) {
      if (seen.length === 10) await ledger.record({ sampleId: SAMPLE, turn: 0, code: "X", message: "" });
      seen.push(`${sample.exampleId} ${sample.round} ${sample.sampleIndex}`);
    }
    expect(seen).toHaveLength(2_100);
    expect(seen).toEqual(seen.toSorted());
    expect(ledger.samplesOf(fakeId("e", 699))).toEqual([
      { sampleId: fakeId("5", 0), exampleId: fakeId("e", 699), round: 0, sampleIndex: 0, state: "discarded" },
      { sampleId: fakeId("5", 1), exampleId: fakeId("e", 699), round: 0, sampleIndex: 1, state: "open" },
      { sampleId: fakeId("5", 2), exampleId: fakeId("e", 699), round: 1, sampleIndex: 0, state: "open" },
    ]);
  });
});

describe("events", () => {
  it("are counted by code", async () => {
    for (const message of ["503", "503", "reset"]) {
      await ledger.record({ sampleId: SAMPLE, turn: 0, code: "MODEL_UNAVAILABLE", message });
    }
    await ledger.record({ sampleId: SAMPLE, turn: 1, code: "MODEL_CHANGED", message: "x" });
    await reopen();
    expect(ledger.eventCounts()).toEqual([
      { code: "MODEL_CHANGED", count: 1 },
      { code: "MODEL_UNAVAILABLE", count: 3 },
    ]);
    expect([...ledger.samples()]).toEqual([]);
  });
});

describe("a transaction", () => {
  it("keeps the good writes of a tick beside a refused one", async () => {
    const written = await Promise.allSettled([
      ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0)),
      ledger.commitReply({ sampleId: fakeId("5", 9), turn: 0, requestHash: "h", reply: replyOf("x") }),
      ledger.commitReply({ sampleId: SAMPLE, turn: 0, requestHash: "h", reply: replyOf("x") }),
    ]);
    expect(written.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(ledger.turns(SAMPLE)).toHaveLength(1);
  });

  it("that the disk has no room for fails whole, and leaves the ledger usable", async () => {
    await openWithTurns("a");
    await ledger.close();
    const connection = await openLedgerConnection(file);
    ledger = new SqliteLedger(connection, file);
    const pages = connection.pragma("page_count", { simple: true }) as number;
    connection.pragma(`max_page_count = ${pages + 3}`);
    const written = await Promise.allSettled([
      ledger.openSample(fakeId("5", 2), identityFor(EXAMPLE, 1)),
      ledger.commitObservation(SAMPLE, 0, { of: "a" }),
      ledger.commitReply({
        sampleId: SAMPLE,
        turn: 1,
        requestHash: "h1",
        reply: { ...replyOf("long"), tokenIds: Array.from({ length: 40_000 }, (_, token) => token * 7919) },
      }),
    ]);
    for (const result of written) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "DISK_FULL" } });
    }
    expect([...ledger.samples()]).toHaveLength(1);
    await ledger.commitReply({ sampleId: SAMPLE, turn: 1, requestHash: "h1", reply: replyOf("short") });
    await reopen();
    expect(ledger.turns(SAMPLE).map((turn) => turn.reply.content)).toEqual(["a", "short"]);
  });

  it("is committed by close", async () => {
    const opened = ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0));
    await Promise.all([reopen(), opened]);
    expect(ledger.samplesOf(EXAMPLE)).toHaveLength(1);
  });
});

describe("opening", () => {
  it("lets a reader read while a writer writes, and not write", async () => {
    await openWithTurns("a");
    const reader = await openLedger(file, { readOnly: true });
    try {
      expect(reader.turns(SAMPLE)).toHaveLength(1);
      const iteration = reader.samples();
      expect(iteration.next().value).toMatchObject({ sampleId: SAMPLE, state: "open" });
      await ledger.finish(SAMPLE, { kind: "discarded", reason: "length" });
      expect(reader.outcome(SAMPLE)).toEqual({ kind: "discarded", reason: "length" });
      await expect(reader.openSample(SAMPLE, identityFor(EXAMPLE, 0))).rejects.toMatchObject({
        code: "LEDGER_READ_ONLY",
      });
      await ledger.close();
      expect(reader.samplesOf(EXAMPLE)).toHaveLength(1);
    } finally {
      await reader.close();
    }
    expect(() => reader.turns(SAMPLE)).toThrow(expect.objectContaining({ code: "LEDGER_CLOSED" }));
  });

  it("refuses a ledger of a newer version, to read and to write", async () => {
    await ledger.close();
    const connection = new Sqlite(file);
    connection.pragma("user_version = 99");
    connection.close();
    await expect(openLedger(file)).rejects.toMatchObject({ code: "LEDGER_NEWER" });
    await expect(openLedger(file, { readOnly: true })).rejects.toMatchObject({ code: "LEDGER_NEWER" });
  });

  it("refuses what is no ledger, and leaves it as it was", async () => {
    const text = path.join(folder, "notes.txt");
    const other = path.join(folder, "other.sqlite");
    await writeFile(text, "not a database");
    const connection = new Sqlite(other);
    connection.exec("CREATE TABLE singer (name TEXT)");
    connection.close();
    const before = await readFile(other);
    for (const wrong of [text, other, folder]) {
      await expect(openLedger(wrong)).rejects.toMatchObject({ code: "LEDGER_MALFORMED" });
      await expect(openLedger(wrong, { readOnly: true })).rejects.toMatchObject({ code: "LEDGER_MALFORMED" });
    }
    expect(await readFile(text, "utf8")).toBe("not a database");
    expect(await readFile(other)).toEqual(before);
    await expect(openLedger(path.join(folder, "none"), { readOnly: true })).rejects.toMatchObject({
      code: "LEDGER_MISSING",
    });
  });

  it("refuses a ledger that lacks a table", async () => {
    await ledger.close();
    const connection = new Sqlite(file);
    connection.exec("DROP TABLE turns");
    connection.close();
    await expect(openLedger(file)).rejects.toMatchObject({ code: "LEDGER_MALFORMED" });
  });
});

describe("a damaged ledger", () => {
  it.each([
    ["no JSON", "UPDATE turns SET reply = '{\"content\":'"],
    ["another shape", "UPDATE turns SET reply = '{}'"],
    ["bytes that do not inflate", "UPDATE turns SET reply = x'ffffff'"],
  ])("names the turn that holds %s", async (_, sql) => {
    await openWithTurns("a");
    await damage(sql);
    expect(() => ledger.turns(SAMPLE)).toThrow(
      expect.objectContaining({
        code: "LEDGER_ROW_DAMAGED",
        message: expect.stringContaining(`the reply of turn 0 of sample ${SAMPLE}`),
        site: { file, rowId: SAMPLE },
      }),
    );
  });

  it("names the sample whose trajectory lost a deep part", async () => {
    await openWithTurns();
    await ledger.finish(SAMPLE, { kind: "finished", trajectory: trajectoryOf(SAMPLE, "x") });
    await damage("UPDATE samples SET outcome = json_remove(outcome, '$.messages[0].origin')");
    expect(() => ledger.outcome(SAMPLE)).toThrow(
      expect.objectContaining({
        code: "LEDGER_ROW_DAMAGED",
        message: expect.stringContaining("messages.0.origin"),
      }),
    );
  });

  it("cut short is refused, at opening or at the first read", async () => {
    for (let number = 0; number < 200; number += 1) {
      await ledger.openSample(fakeId("5", number), identityFor(fakeId("e", number), 0));
    }
    await ledger.close();
    await truncate(file, 20_000);
    const read = async (): Promise<void> => {
      ledger = await openLedger(file);
      for (let number = 0; number < 200; number += 1) ledger.identity(fakeId("5", number));
    };
    await expect(read()).rejects.toMatchObject({ code: "LEDGER_MALFORMED" });
  });

  it("with a torn write-ahead log keeps a beginning of what was committed", async () => {
    await ledger.openSample(SAMPLE, identityFor(EXAMPLE, 0));
    for (let turn = 0; turn < 8; turn += 1) {
      await ledger.commitReply({
        sampleId: SAMPLE,
        turn,
        requestHash: `h${turn}`,
        reply: replyOf(`${turn}`),
      });
    }
    const log = `${file}-wal`;
    const bytes = (await stat(log)).size;
    let most = 0;
    for (const cut of [0, 1, 4_000, 4_119, 4_120, 4_121, 12_345, 40_000, bytes - 100, bytes]) {
      const copy = path.join(folder, `copy-${cut}.sqlite`);
      await copyFile(file, copy);
      await copyFile(log, `${copy}-wal`);
      await truncate(`${copy}-wal`, Math.max(0, bytes - cut));
      const torn = await openLedger(copy);
      const turns = torn.turns(SAMPLE);
      expect(turns.map((turn) => turn.requestHash)).toEqual(turns.map((_, turn) => `h${turn}`));
      await torn.openSample(fakeId("5", 7), identityFor(EXAMPLE, 7));
      await torn.close();
      most = Math.max(most, turns.length);
      if (cut === 0) expect(turns).toHaveLength(8);
      if (cut === bytes) expect(turns).toHaveLength(0);
    }
    expect(most).toBe(8);
  });
});
