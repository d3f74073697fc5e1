import { expect, it } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import { HeldModel } from "../../../pipelines/serve/held-model.ts";
import type { ModelReply, ModelRequest } from "../../../core/model.ts";

const REQUEST = { model: "m" } as ModelRequest;
const REPLY = { content: "hm" } as ModelReply;

it("holds a request until somebody answers it", async () => {
  let asked = 0;
  const model = new HeldModel(() => (asked += 1));
  model.answer(REPLY);
  const completed = model.complete(REQUEST);
  expect([asked, model.request]).toEqual([1, REQUEST]);
  model.answer(REPLY);
  expect(await completed).toBe(REPLY);
  expect(model.request).toBeNull();
});

it("fails what waits, and what comes after, once it is ended", async () => {
  const model = new HeldModel(() => undefined);
  const completed = model.complete(REQUEST);
  model.end(new GradusError("EPISODE_ABANDONED", "given up"));
  await expect(completed).rejects.toMatchObject({ code: "EPISODE_ABANDONED" });
  await expect(model.complete(REQUEST)).rejects.toMatchObject({ code: "EPISODE_ABANDONED" });
  expect(model.account().requests).toBe(0);
  await model.close();
});
