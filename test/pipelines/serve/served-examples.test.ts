import { afterAll, expect, it } from "vitest";
import { closeServed, servedRun } from "./served-fixture.ts";

afterAll(closeServed);

it("finds examples by id, and by the names of their datasets", async () => {
  const { examples } = await servedRun();
  const [first = "", second = ""] = examples.ids(0, 2);
  expect(examples.size).toBe(3);
  expect((await examples.find({ example_id: first })).sourceId).toBe("1");
  expect((await examples.find({ source_id: "2" })).id).toBe(second);
  expect((await examples.find({ source_id: "2", dataset: "other", split: "dev" })).id).toBe(second);
  expect(await examples.find({ example_id: first })).toBe(await examples.find({ example_id: first }));
  for (const name of [{ example_id: "x" }, { source_id: "9" }, { source_id: "2", dataset: "ferries" }]) {
    await expect(examples.find(name)).rejects.toMatchObject({ code: "EXAMPLE_UNKNOWN" });
  }
});

it("asks for the dataset where several number their rows alike", async () => {
  const { EXAMPLES } = await import("./served-fixture.ts");
  const [first, second] = EXAMPLES as [(typeof EXAMPLES)[number], (typeof EXAMPLES)[number]];
  const { examples } = await servedRun(undefined, [first, { ...second, sourceId: "1" }]);
  await expect(examples.find({ source_id: "1" })).rejects.toThrow("2 examples have the source id");
  expect((await examples.find({ source_id: "1", dataset: "other" })).id).toBe(second.id);
});
