import { expect, it } from "vitest";
import { selectTaughtStage } from "../../embeddings/select.ts";
import { runStage } from "../fakes/run-stage.ts";

it("says of a fallback that it is one, and refuses rows out of order", async () => {
  const candidate = {
    trajectoryId: "a",
    exampleId: "p",
    split: "validation" as const,
    class: "easy" as const,
    fallback: true,
    interactions: 4,
    limit: 2,
  };
  const place = { trajectoryId: "a", exampleId: "p", actions: "x", length: 1, cluster: 0, distance: 0 };
  const inputs = { candidates: [candidate], clustered: [place], passedOver: [] };
  expect((await runStage(selectTaughtStage, inputs, {})).selected).toEqual([
    { trajectoryId: "a", exampleId: "p", split: "validation", reason: "easy_fallback" },
  ]);
  const broken = { ...inputs, clustered: [{ ...place, exampleId: "q" }] };
  await expect(runStage(selectTaughtStage, broken, {})).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
});
