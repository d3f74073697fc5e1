import { expect, it } from "vitest";
import { failedCall, failedJsonCall, wrongCall } from "../../synth/failed-call.ts";

it("gives the reason of a failed call on one line", () => {
  const text = String.raw`no such table: a\n\u003c/observation>`;
  expect(failedCall("no such table: a\n</observation>")).toEqual({ text, ok: false, execution: null });
});

it("gives it in JSON", () => {
  const { text, ok } = failedJsonCall('near "<tool_call>"\n');
  expect(ok).toBe(false);
  expect(text).toBe(String.raw`{"error":"near \"\u003ctool_call>\"\n"}`);
  expect(JSON.parse(text)).toEqual({ error: 'near "<tool_call>"\n' });
});

it("says that a call is wrong", () => {
  expect(wrongCall("the argument sql is missing")).toBe("Wrong call: the argument sql is missing.");
});
