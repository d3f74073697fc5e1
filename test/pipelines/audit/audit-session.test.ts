import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { AuditedExample } from "../../../core/audit.ts";
import { AuditOptions } from "../../../pipelines/audit/audit-examples.ts";
import { audit, type AuditSessionRequest } from "../../../pipelines/audit/audit-session.ts";
import { SILENT_REPORTER } from "../../../pipelines/reporter.ts";
import { readRunConfig, runTrainingSet } from "../../../pipelines/run-training-set.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";

/** The second one's gold compares with a name that no shop has; its answers agree on another. */
const QUESTIONS = [
  {
    question: "Which shops have more than 4 people?",
    query: "SELECT name FROM shop WHERE staff > 4",
    answer: "SELECT name FROM shop WHERE staff >= 5",
  },
  {
    question: "How many people work at the Mill?",
    query: "SELECT staff FROM shop WHERE name = 'mill'",
    answer: "SELECT staff FROM shop WHERE name = 'Mill'",
  },
];

const TARGET = {
  run: null,
  dataset: "spider",
  root: "./shops",
  split: "train",
  release: null,
  databaseFolders: [],
  predictions: [],
};

let folder: string;

beforeAll(async () => {
  folder = await shopWorkspace({}, QUESTIONS);
});

function session(changes: Partial<AuditSessionRequest> = {}): Promise<AuditedExample[]> {
  return audit({
    target: TARGET,
    checks: null,
    options: AuditOptions.parse({}),
    judgeVoters: 0,
    configFile: null,
    roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
    ...changes,
  });
}

const kinds = (row: AuditedExample | undefined): string[] => (row?.findings ?? []).map(({ kind }) => kind);

describe("audit", () => {
  it("audits a dataset with its prediction files, each of which is a voter", async () => {
    const answers = path.join(folder, "shops/answers.txt");
    const [right, wrong] = await session({ target: { ...TARGET, predictions: [answers, answers, answers] } });
    expect(right).toMatchObject({ flagged: false, findings: [], votes: { ran: 3, agree: 3, others: [] } });
    expect(kinds(wrong)).toEqual(["outvoted", "other_spelling", "no_rows"]);
    expect(wrong?.flagged).toBe(true);
  });

  it("audits the examples and samples of a run, by the checks that are named", async () => {
    const roots = { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") };
    const signal = new AbortController().signal;
    const options = { roots, until: "import", dryRun: false, workers: 1, reporter: SILENT_REPORTER, signal };
    await runTrainingSet(await readRunConfig(path.join(folder, "run.yaml")), options);
    const target = { ...TARGET, run: "shops", dataset: null, root: null, split: null };
    const rows = await session({ target, checks: ["value-literal"] });
    expect(rows.map(kinds)).toEqual([[], ["other_spelling"]]);
    expect(rows.map(({ votes }) => votes?.ran)).toEqual([1, 1]);
  });

  it("goes on with the services once everything is audited", async () => {
    const seen: unknown[] = [];
    await session({
      only: ({ sourceId }) => sourceId === "1",
      afterwards: async (services, data, rows) => {
        seen.push(
          data.examples.length,
          rows.length,
          (await services.plugs.list("check")).includes("gold-runs"),
        );
      },
    });
    expect(seen).toEqual([2, 1, true]);
  });

  it("is interrupted by its signal", async () => {
    await expect(session({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "INTERRUPTED" });
  });

  it.each([
    [{ checks: ["gold-rnus"] }, "PLUG_UNKNOWN"],
    [{ target: { ...TARGET, databaseFolders: ["nowhere"] } }, "USAGE"],
    [{ target: { ...TARGET, run: "gone", dataset: null } }, "RUN_UNKNOWN"],
    [{ judgeVoters: 1 }, "USAGE"],
  ])("%j: %s", async (changes, code) => {
    await expect(session(changes)).rejects.toMatchObject({ code });
  });
});
