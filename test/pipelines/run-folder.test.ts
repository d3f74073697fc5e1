import path from "node:path";
import { describe, expect, it } from "vitest";
import { readLatest, writeLatest } from "../../pipelines/run-folder.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

describe("latest.json", () => {
  it("is read as it was written, and is empty before the first run", async () => {
    const run = path.join(await temporaryFolder(), "quickstart");
    expect(await readLatest(run)).toEqual({});
    await writeLatest(run, { score: "b", load: "a" });
    expect(await readLatest(run)).toEqual({ load: "a", score: "b" });
    expect(await filesBelow(run)).toEqual({ "latest.json": '{"load":"a","score":"b"}\n' });
  });

  it.each(["{", "[]", '{"load":1}'])("is refused when it says %s", async (text) => {
    const run = await temporaryFolder({ "latest.json": text });
    await expect(readLatest(run)).rejects.toMatchObject({
      code: "RUN_DAMAGED",
      message: `cannot use ${path.join(run, "latest.json")}: it does not list the run's steps`,
    });
  });
});
