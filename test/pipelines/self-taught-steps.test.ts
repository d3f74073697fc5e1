import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { parseRunConfig } from "../../pipelines/config.ts";
import { type TrainingSetRequest, trainingSetPipeline } from "../../pipelines/training-set.ts";

const FILE = path.resolve(import.meta.dirname, "../../configs/mtsql-r1.yaml");

function pipelineOf(sft: object, carried: TrainingSetRequest["carried"] = null, more: object = {}) {
  const given = parse(readFileSync(FILE, "utf8")) as { sft: object };
  const config = parseRunConfig({ ...given, ...more, sft: { ...given.sft, ...sft } }, FILE);
  return trainingSetPipeline({
    config,
    roots: [""],
    evaluationRoots: [],
    files: [],
    licenses: [],
    concurrency: 1,
    exporters: new Map([["messages-sft", "sft"]]),
    carried,
  });
}

const idsOf = (pipeline: ReturnType<typeof pipelineOf>): string[] => pipeline.map(({ id }) => id);

it("a self-taught run rejects, embeds, clusters and selects after its prompts", () => {
  const pipeline = pipelineOf({});
  checkPipeline(pipeline);
  const ids = idsOf(pipeline);
  expect(ids.slice(ids.indexOf("prompts"))).toEqual([
    "prompts",
    "filter-sft",
    "split-sft",
    "reject",
    "embed",
    "cluster",
    "select",
    "order-sft",
    "order",
    "funnel",
    "rows-sft",
    "quality-sft",
    "export-messages-sft",
  ]);
});

it("what is guarded is loaded once and kept out of both sets", () => {
  const against = [{ loader: "cosql", root: "sample:cosql", split: "test" }];
  const pipeline = pipelineOf({}, null, { deduplicate: {}, guard: { against } });
  checkPipeline(pipeline);
  const ids = idsOf(pipeline).filter((id) => /guard|dedup/.test(id));
  expect(ids).toEqual([
    "deduplicate",
    "guard-load",
    "guard-profile",
    "guard",
    "deduplicate-sft",
    "guard-sft",
  ]);
  const split = pipeline.find(({ id }) => id === "split-sft");
  expect(split?.inputs["kept"]).toEqual({ step: "guard-sft", port: "kept" });
});

it("a later round asks the open questions and carries rows", () => {
  const pipeline = pipelineOf(
    { quota: { kept: 10 }, preferencePairs: 1, repaired: "mask" },
    { rowsFile: "/rows", splitFile: "/split" },
  );
  checkPipeline(pipeline);
  const ids = idsOf(pipeline);
  expect(ids).toEqual(
    expect.arrayContaining([
      "open",
      "quota",
      "preference-pairs",
      "rows-sft-chosen",
      "rows-sft-masked",
      "rows-sft",
    ]),
  );
  const loaded = pipeline.find(({ id }) => id === "open")?.inputs["examples"];
  const asking = pipeline.slice(ids.indexOf("open") + 1).flatMap(({ inputs }) => Object.values(inputs));
  expect(asking.filter((link) => link.step === loaded?.step && link.port === loaded.port)).toEqual([]);
});

it("the plain selection is left as it is", () => {
  expect(idsOf(pipelineOf({ strategy: "select" }))).not.toContain("reject");
});
