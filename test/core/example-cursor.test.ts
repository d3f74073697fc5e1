import { expect, it } from "vitest";
import { ExampleCursor } from "../../core/example-cursor.ts";
import { rowsOf } from "../fakes/run-stage.ts";

it("gives the rows of one example at a time, none where others come next", async () => {
  const cursor = new ExampleCursor("rows", rowsOf(["a1", "a2", "c1"]), (row) => row.charAt(0));
  expect(await cursor.take("a")).toEqual(["a1", "a2"]);
  expect(await cursor.take("b")).toEqual([]);
  await expect(cursor.expectEnd()).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
  expect(await cursor.take("c")).toEqual(["c1"]);
  await cursor.expectEnd();
  await cursor.close();
});
