import { expect, it } from "vitest";
import {
  readRoundModel,
  readTrainedModel,
  withCheckpoint,
  writeRoundModel,
} from "../../pipelines/trained-model.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a trainer's last line names the model, or its whole output", () => {
  expect(readTrainedModel('step 1\nstep 2\n{"revision":"r2","baseUrl":"http://h/v1"}\n', "x")).toEqual({
    revision: "r2",
    baseUrl: "http://h/v1",
  });
  expect(readTrainedModel('{\n "revision": "r3"\n}', "x")).toEqual({ revision: "r3" });
  for (const text of ["", "done", '{"revision":""}', '{"revision":"a","url":"b"}']) {
    expect(() => readTrainedModel(text, "the log")).toThrow("the log does not name the new model");
  }
});

it("a role takes over what the checkpoint says, and a round keeps it", async () => {
  const role = {
    provider: "simulated",
    name: "s",
    revision: "1",
    competence: 0.5,
    client: { retries: 1 },
  } as const;
  expect(withCheckpoint(role, { revision: "2" })).toEqual({ ...role, revision: "2" });
  expect(withCheckpoint(role, { revision: "2", name: "t", competence: 0.7, baseUrl: "http://h/v1" })).toEqual(
    {
      provider: "simulated",
      name: "t",
      revision: "2",
      competence: 0.7,
      client: { retries: 1, baseUrl: "http://h/v1", baseUrls: null },
    },
  );
  const folder = await temporaryFolder();
  expect(await readRoundModel(folder)).toBeNull();
  await writeRoundModel(folder, { revision: "2" });
  expect(await readRoundModel(folder)).toEqual({ revision: "2" });
});
