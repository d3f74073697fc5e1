import { expect, it } from "vitest";
import { VOLATILE_LEDGER } from "../../../pipelines/serve/volatile-ledger.ts";

it("keeps nothing", async () => {
  await VOLATILE_LEDGER.finish("s", { kind: "discarded", reason: "test" });
  expect(VOLATILE_LEDGER.outcome("s")).toBeUndefined();
  expect(VOLATILE_LEDGER.turns("s")).toEqual([]);
  expect([...VOLATILE_LEDGER.samples()]).toEqual([]);
});
