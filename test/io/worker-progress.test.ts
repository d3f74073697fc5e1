import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ProgressReader, ProgressWriter } from "../../io/worker-progress.ts";
import { DatabaseFixture } from "./database-fixture.ts";

const fixture = new DatabaseFixture();

afterAll(() => {
  fixture.remove();
});

it("a reader sees the last mark of a writer", () => {
  const file = path.join(fixture.folder, "progress");
  const reader = new ProgressReader(file);
  expect(reader.read()).toBeNull();
  const writer = new ProgressWriter(file);
  writer.startTask(3);
  expect(reader.read()).toEqual({ sequence: 1, task: 3, unit: 0, phase: "idle" });
  writer.mark(70_000, "statement");
  expect(reader.read()).toEqual({ sequence: 2, task: 3, unit: 70_000, phase: "statement" });
  writer.turn("scan");
  expect(reader.read()).toEqual({ sequence: 3, task: 3, unit: 70_000, phase: "scan" });
  reader.close();
});
