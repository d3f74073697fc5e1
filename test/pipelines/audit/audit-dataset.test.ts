import { rmSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { DatabaseInspector } from "../../../core/inspector.ts";
import type { StageContext } from "../../../core/stage.ts";
import { readAuditedDataset, requireExamples } from "../../../pipelines/audit/audit-dataset.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { harbourSubject } from "../../curation/check-subject.ts";

const { database } = harbourSubject({ question: "", gold: "SELECT 1" });
const plugs = createPlugFinder();

async function read(folder: string, predictions: readonly string[]) {
  const warnings: string[] = [];
  const described: (string | null)[] = [];
  const inspector: DatabaseInspector = {
    inspect: (request) => {
      described.push(request.described?.databaseId ?? null);
      return Promise.resolve({ ...database, databaseId: request.databaseId });
    },
  };
  const loader = await plugs.find("loader", "spider");
  const source = { root: path.join(folder, "shops"), split: "train", release: null };
  const context = {
    plugs,
    signal: new AbortController().signal,
    progress: () => undefined,
    warn: (message: string) => warnings.push(message),
  } as unknown as StageContext;
  const databaseFolders = loader.databaseFolders(source);
  const data = await readAuditedDataset({ loader, source, databaseFolders, predictions, inspector, context });
  return { data, warnings, described };
}

it("reads examples, databases and the answers of each file", async () => {
  const folder = await shopWorkspace();
  const answers = path.join(folder, "shops/answers.txt");
  const { data, warnings, described } = await read(folder, [answers, answers]);
  expect(data.examples).toHaveLength(12);
  expect([...data.databases.keys()]).toEqual(["north", "south"]);
  expect(data.answers.get(data.examples[1]?.id ?? "")).toEqual([
    "SELECT id FROM shop",
    "SELECT id FROM shop",
  ]);
  expect([warnings, described]).toEqual([[], ["north", "south"]]);
});

it("does without a tables file, and says so", async () => {
  const folder = await shopWorkspace();
  rmSync(path.join(folder, "shops/tables.json"));
  const { data, warnings, described } = await read(folder, []);
  expect(data.answers.size).toBe(0);
  expect(warnings).toEqual(["there is no tables file: keys are taken from the databases alone"]);
  expect(described).toEqual([null, null]);
});

it("nothing to audit is an error", () => {
  const nothing = { examples: [], databases: new Map(), answers: new Map() };
  expect(() => requireExamples(nothing, "mine")).toThrow("cannot audit mine: it has no examples");
});
