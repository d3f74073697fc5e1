import { expect, it } from "vitest";
import {
  EmbedderConfig,
  RoundsConfig,
  SftConfig,
  TrainerConfig,
} from "../../pipelines/self-taught-config.ts";

it("the defaults change nothing of a run that asks for none of it", () => {
  expect(SftConfig.parse({})).toMatchObject({
    strategy: "select",
    perExample: 1,
    quota: null,
    repaired: "keep",
    preferencePairs: 0,
  });
  expect(EmbedderConfig.parse(undefined)).toEqual({ id: "tf-idf", options: {}, client: {} });
  expect(RoundsConfig.parse(undefined)).toEqual({ max: 3, role: "student" });
  expect(TrainerConfig.parse(undefined)).toBeNull();
  expect(TrainerConfig.safeParse({ command: [] }).success).toBe(false);
});
