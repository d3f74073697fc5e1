import { expect, it } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import { errorBody, statusOf } from "../../../pipelines/serve/service-error.ts";

it.each([
  [new GradusError("EXAMPLE_UNKNOWN", "no"), 404],
  [new GradusError("SERVICE_BUSY", "no"), 429],
  [new GradusError("SQL_WORKER_FAILED", "no"), 500],
  [Object.assign(new Error("too long"), { statusCode: 413 }), 413],
  [new Error("odd"), 500],
  [null, 500],
])("%s has the status %d", (thrown, status) => {
  expect(statusOf(thrown)).toBe(status);
});

it("a body has a code, a message and a hint", () => {
  const error = new GradusError("EXAMPLE_UNKNOWN", "no such example", { hint: "ask for ids" });
  expect(errorBody(error)).toEqual({
    error: { code: "EXAMPLE_UNKNOWN", message: "no such example", hint: "ask for ids" },
  });
  expect(errorBody(new Error("odd")).error.code).toBe("SERVICE_FAILED");
  expect(errorBody(Object.assign(new Error("bad"), { statusCode: 400 })).error.code).toBe("REQUEST_INVALID");
});
