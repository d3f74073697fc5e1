import { afterAll, expect, it } from "vitest";
import { mainTable, ProfileReader, readOr } from "../../io/profile-reader.ts";
import { DatabaseFixture, FERRIES } from "./database-fixture.ts";

const fixture = new DatabaseFixture();
const reader = new ProfileReader(fixture.create("ferries.sqlite", FERRIES));

afterAll(() => {
  reader.close();
  fixture.remove();
});

function texts(maxCharacters: number, repair: boolean): (string | null)[] {
  const rows = reader.each(
    `SELECT ${reader.textSql("value", maxCharacters)} FROM odd WHERE typeof(value) = 'text' ORDER BY id`,
  );
  return [...rows].map(([cell]) =>
    repair ? reader.repairedText(cell, maxCharacters) : reader.text(cell, maxCharacters),
  );
}

it("text is whole where a driver cuts or replaces, and null or repaired where it is no UTF-8", () => {
  expect(texts(10, false)).toEqual([null, "caf\0e", "caf\uFFFD", "caf"]);
  expect(texts(10, true)).toEqual(["caf\uFFFD", "caf\0e", "caf\uFFFD", "caf"]);
});

it("a character that the cut goes through is left out", () => {
  expect(reader.all(`SELECT ${reader.textSql("'€€€'", 1)}`).map(([cell]) => reader.text(cell, 1))).toEqual([
    "€",
  ]);
});

it("writes to temporary tables, never to the file", () => {
  reader.run("CREATE TEMP TABLE ferry (x)");
  expect(reader.all("SELECT count(*) FROM temp.ferry")).toEqual([[0n]]);
  expect(reader.all(`SELECT count(*) FROM ${mainTable("ferry")}`)).toEqual([[3n]]);
  expect(() => reader.run("DELETE FROM main.ferry")).toThrow(/readonly/);
});

it("what the file is at fault for is left out, what the machine is at fault for is thrown", () => {
  const failing = (message: string) => () => {
    throw new Error(message);
  };
  expect(readOr(failing("no such column: x"), () => 7)).toBe(7);
  expect(readOr(failing("database disk image is malformed"), () => 7)).toBe(7);
  expect(() => readOr(failing("database or disk is full"), () => 7)).toThrow(
    expect.objectContaining({ code: "DISK_FULL" }),
  );
  expect(() => readOr(failing("disk I/O error"), () => 7)).toThrow("disk I/O error");
  expect(() => readOr(failing("out of memory"), () => 7)).toThrow("out of memory");
});
