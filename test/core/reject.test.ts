import { expect, it } from "vitest";
import { Reject } from "../../core/reject.ts";

it("a reject names its row, a code and a message, and nothing else", () => {
  const reject = { rowId: "dev.json[17]", code: "ROW_MALFORMED", message: "question is 7" };
  expect(Reject.parse(reject)).toEqual(reject);
  expect(Reject.safeParse({ ...reject, rowId: 17 }).success).toBe(false);
  expect(Reject.safeParse({ rowId: "1", code: "X" }).success).toBe(false);
  expect(Reject.safeParse({ ...reject, stack: "" }).success).toBe(false);
});
