import { expect, it } from "vitest";
import { z } from "zod";
import { storedEquals, storedJson, storedValue, storeText, textOf } from "../../io/ledger-json.ts";

const place = { file: "ledger.sqlite", sampleId: "s1", what: "the outcome" };

it("keeps short text as it is and deflates long text, and both come back with their keys in order", () => {
  const short = '{"b":1,"a":2}';
  const long = `{"z":"${"x".repeat(20_000)}","a":1}`;
  expect(storeText(short)).toBe(short);
  const stored = storeText(long);
  expect(Buffer.isBuffer(stored)).toBe(true);
  expect(stored.length).toBeLessThan(1_000);
  expect(JSON.stringify(storedJson(storeText(short), place))).toBe(short);
  expect(JSON.stringify(storedJson(stored, place))).toBe(long);
});

it("names the sample and the part of what is damaged", () => {
  const damaged = { code: "LEDGER_ROW_DAMAGED", site: { file: "ledger.sqlite", rowId: "s1" } };
  for (const stored of ['{"a":', Buffer.from("not deflated")]) {
    expect(() => storedJson(stored, place)).toThrow(expect.objectContaining(damaged) as Error);
  }
  expect(() => storedValue(z.strictObject({ a: z.number() }), '{"a":"1"}', place)).toThrow(
    /the outcome of sample s1: a:/,
  );
});

it("compares values, not the order of their keys", () => {
  expect(storedEquals('{"a":1,"b":[2]}', '{"b":[2],"a":1}', place)).toBe(true);
  expect(storedEquals('{"a":1}', '{"a":2}', place)).toBe(false);
});

it("stores nothing that does not fit its schema", () => {
  const schema = z.strictObject({ a: z.number() });
  expect(textOf(schema, { a: 1 }, place)).toBe('{"a":1}');
  expect(() => textOf(schema, { a: "x" } as never, place)).toThrow(
    expect.objectContaining({ code: "LEDGER_VALUE_INVALID" }) as Error,
  );
});
