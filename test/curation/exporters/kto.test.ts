import { expect, it } from "vitest";
import kto from "../../../curation/exporters/kto.ts";
import { exportRow, message, openForm, trajectory } from "../../interop/fixture-rows.ts";

const pair = exportRow("1", {
  prompt: [message("user", "q")],
  trajectory: trajectory("1", [message("assistant", "right")]),
  rejected: trajectory("2", [message("assistant", "wrong")]),
});

it("writes a row for the right reply and one for the wrong", async () => {
  const prompt = [{ role: "user", content: "q" }];
  expect((await openForm(kto)).rows(pair)).toMatchObject([
    { prompt, completion: [{ role: "assistant", content: "right" }], label: true },
    { prompt, completion: [{ role: "assistant", content: "wrong" }], label: false },
  ]);
});
