import Database from "better-sqlite3";
import { beforeEach, expect, it } from "vitest";
import { LedgerRows } from "../../io/ledger-rows.ts";
import { migrateLedger } from "../../io/ledger-schema.ts";

let rows: LedgerRows;

beforeEach(() => {
  const connection = new Database(":memory:");
  migrateLedger(connection, ":memory:");
  rows = new LedgerRows(connection, ":memory:");
});

function addSample(sampleId: string, exampleId: string, sampleIndex: number): void {
  const { connection } = rows;
  connection
    .prepare(
      "INSERT INTO samples (id, example_id, round, sample_index, state, identity) VALUES (?, ?, 0, ?, 'open', '{}')",
    )
    .run(sampleId, exampleId, sampleIndex);
}

it("pages through samples by example, round and index, whatever order they came in", () => {
  addSample("s3", "b", 0);
  addSample("s2", "a", 1);
  addSample("s1", "a", 0);
  const first = rows.samplesAfter(undefined, 2);
  expect(first.map(({ sampleId }) => sampleId)).toEqual(["s1", "s2"]);
  expect(rows.samplesAfter(first[1], 2).map(({ sampleId }) => sampleId)).toEqual(["s3"]);
});

it("finds a sample, and none that is not there", () => {
  addSample("s1", "a", 4);
  expect(rows.sample("s1")).toMatchObject({ exampleId: "a", sampleIndex: 4, state: "open", outcome: null });
  expect(rows.sample("s2")).toBeUndefined();
});
