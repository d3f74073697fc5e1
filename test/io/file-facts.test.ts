import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileFacts } from "../../io/file-facts.ts";
import { openConnection } from "../../io/sql-driver.ts";
import type { SqlConnection } from "../../io/sql-driver.ts";
import { DatabaseFixture, FERRIES } from "./database-fixture.ts";

let fixture: DatabaseFixture;
let connection: SqlConnection;

beforeAll(() => {
  fixture = new DatabaseFixture();
  const file = fixture.create("ferries.sqlite", FERRIES);
  connection = openConnection(file, { readOnly: true, returnArrays: true });
});

afterAll(() => {
  connection.close();
  fixture.remove();
});

describe("FileFacts", () => {
  it("finds columns with a NUL, by one scan of each", () => {
    const facts = new FileFacts();
    let scans = 0;
    const scanning = (): void => {
      scans += 1;
    };
    expect(facts.anyNul(["ferry", "name", "ferry", "", "odd", "id"], connection, scanning)).toBe(false);
    expect(facts.anyNul(["ferry", "name"], connection, scanning)).toBe(false);
    expect(scans).toBe(1);
    expect(facts.anyNul(["odd", "value"], connection, scanning)).toBe(true);
    expect(facts.anyNul(["named", "name", "json_each", "value"], connection, scanning)).toBe(false);
    expect(scans).toBe(2);
  });

  it("takes what is computed on reading for what may hold a NUL, without a scan", () => {
    const script = `
      CREATE TABLE plain (word TEXT, CHECK (length(word) < 9));
      CREATE TABLE made (id INTEGER, word TEXT GENERATED ALWAYS AS ('a' || id));
      CREATE TABLE short (id INTEGER, word TEXT AS(id));
      CREATE VIRTUAL TABLE found USING fts5 (word);
    `;
    const computed = openConnection(fixture.create("computed.sqlite", script), {
      readOnly: true,
      returnArrays: true,
    });
    const facts = new FileFacts();
    const scanning = (): void => {
      throw new Error("it scans");
    };
    for (const table of ["made", "short", "found"]) {
      expect(facts.anyNul([table, "word"], computed, scanning)).toBe(true);
    }
    expect(() => facts.anyNul(["plain", "word"], computed, scanning)).toThrow("it scans");
    computed.close();
  });

  it("bounds the rows that tables make together", () => {
    const facts = new FileFacts();
    expect(facts.mostRows(["ferry", "id", "odd", "id"], 2, connection)).toBe(3 * 7);
    expect(facts.mostRows(["odd", "id", "odd", "value"], 2, connection)).toBe(7 ** 2);
    expect(facts.mostRows(["ferry", "id", "odd", "id"], 3, connection)).toBe(7 ** 3);
    expect(facts.mostRows(["named", "name"], 1, connection)).toBe(Number.POSITIVE_INFINITY);
  });
});
