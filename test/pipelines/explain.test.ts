import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ArtifactStore } from "../../io/artifact-store.ts";
import { type ExplainedRun, type Explanation, explain, renderExplanation } from "../../pipelines/explain.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { readRecipe, statusOf } from "../../pipelines/run-status.ts";
import { readRunConfig, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { PLAIN_STYLE } from "../../pipelines/terminal-text.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";
import { fakeId, trajectoryOf } from "../io/fixtures/ledger-samples.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PLAIN = { full: false, style: PLAIN_STYLE };

let run: ExplainedRun;

beforeAll(async () => {
  const folder = await shopWorkspace();
  const runs = path.join(folder, "runs");
  await runTrainingSet(await readRunConfig(path.join(folder, "run.yaml")), {
    roots: { dataRoot: null, configFolder: folder, runsFolder: runs },
    until: "filter",
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  });
  const { result } = await statusOf(path.join(runs, "shops"), await readRecipe(runs, "shops"));
  run = {
    artifacts: result.artifacts,
    plugs: createPlugFinder(),
    unfinished: () => Promise.resolve([]),
  };
});

function places({ rows }: Explanation): string[] {
  return rows.map(({ step, port }) => `${step}.${port}`);
}

async function sampleIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let question = 0; question < 12; question += 1) {
    const { rows } = await explain(run, String(question));
    ids.push(...rows.filter(({ step }) => step === "import").map(({ row }) => String(row["id"])));
  }
  return ids;
}

const LIFE = [
  "load.examples",
  "import.trajectories",
  "score.golds",
  "score.samples",
  "rates.rates",
  "filter.kept",
];

describe("a question", () => {
  it("is told with its whole life by the dataset's own id, its example's and the beginning of that", async () => {
    const explanation = await explain(run, "3");
    expect(places(explanation)).toEqual(LIFE);
    expect(explanation.sample).toBeNull();
    const id = String(explanation.rows[0]?.row["id"]);
    expect(places(await explain(run, id))).toEqual(LIFE);
    const begun = await explain(run, id.slice(0, 12));
    expect([begun.id, places(begun)]).toEqual([id, LIFE]);
  });

  it("is told in a line a row", async () => {
    const text = renderExplanation(await explain(run, "3"), PLAIN);
    expect(text.split("\n")).toHaveLength(LIFE.length);
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(230);
  });
});

describe("a sample", () => {
  it("is told turn by turn, with its question and its verdicts", async () => {
    const [, , , id = ""] = await sampleIds();
    const explanation = await explain(run, id);
    expect(places(explanation)).toEqual(["import.trajectories", "score.samples"]);
    const text = renderExplanation(explanation, PLAIN);
    expect(text).toContain("  question   Which shops have more than 3 people, asked 3?\n");
    expect(text).toContain("  verdict    bird-ex 1\n  executed   ok (2 rows)\n");
    expect(text).toContain("turn 1  trained, weight 1: answer\n  says       ```sql\n");
    expect(text).toMatch(/\n\nscore\.samples {2}verdicts=bird-ex 1 {2}execution=ok \(2 rows\) {2}/);
  });

  it("is found by the beginning of its id, unless others begin so too", async () => {
    const ids = await sampleIds();
    const [id = ""] = ids;
    expect(await explain(run, id.slice(0, 12))).toMatchObject({ id, sample: { trajectory: { id } } });
    const twins = [`abcd${"1".repeat(28)}`, `abcd${"2".repeat(28)}`];
    const unfinished = { ...run, unfinished: () => Promise.resolve(twins.map(open)) };
    await expect(explain(unfinished, "abcd")).rejects.toMatchObject({
      code: "EXPLAIN_AMBIGUOUS",
      message: `2 ids begin with "abcd", expected one: ${twins.join(", ")}`,
    });
  });

  it("that no step has yet is told from the ledger", async () => {
    const id = `abcd${"1".repeat(28)}`;
    const explanation = await explain({ ...run, unfinished: async () => [open(id)] }, "abcd1");
    expect(explanation).toMatchObject({ id, sample: null });
    expect(renderExplanation(explanation, PLAIN)).toBe(`ledger.open  id=${id}  turns=2`);
  });
});

it("a chained answer is told with the linker's episode of the same sample", async () => {
  const store = new ArtifactStore(await temporaryFolder());
  const parts = { stage: "sample", version: 1, seed: 1, options: {}, plugs: [], inputs: {}, sources: [] };
  const unfinished = await store.begin("sample", parts, ["trajectories", "linkings"]);
  const base = trajectoryOf(fakeId("a", 1), "a reply");
  const generator = (options: Record<string, boolean>) => ({ id: "dualsql-generator", version: 1, options });
  const chained = { ...base, scaffold: generator({ chain: true }) };
  const alone = { ...base, id: fakeId("b", 2), scaffold: generator({ chain: false }) };
  const oracle = { ...base, id: fakeId("b", 3), scaffold: generator({ oracle: true }) };
  const imported = { ...base, id: fakeId("b", 4), scaffold: { ...generator({}), id: "someone-elses" } };
  const linker = { id: "dualsql-linker", version: 1, options: {} };
  const links = [{ table: "singer", columns: ["name"] }];
  const linking = { ...base, id: fakeId("c", 1), scaffold: linker, links, finalSql: null };
  for (const row of [chained, alone, oracle, imported]) await unfinished.add("trajectories", row, undefined);
  for (const row of [linking, { ...linking, id: fakeId("c", 2), sampleIndex: 1 }]) {
    await unfinished.add("linkings", row, undefined);
  }
  const made = { ...run, artifacts: new Map([["sample", await unfinished.seal()]]) };
  const linkersOf = async ({ id }: { readonly id: string }) =>
    (await explain(made, id)).sample?.linkings.map((row) => row.id);
  expect(await linkersOf(chained)).toEqual([linking.id]);
  for (const row of [alone, oracle, imported, linking]) expect(await linkersOf(row)).toEqual([]);
});

function open(id: string) {
  return { step: "ledger", port: "open", row: { id, turns: 2 } };
}

it("says when no row speaks of an id", async () => {
  await expect(explain(run, "99")).rejects.toMatchObject({ code: "EXPLAIN_NOTHING" });
  await expect(explain(run, "f".repeat(32))).rejects.toMatchObject({ code: "EXPLAIN_NOTHING" });
});

it("a row cannot take hold of the terminal", () => {
  const row = { id: "x", question: "a\u001B[2J\u202Eb\nc", reason: "\u0007" };
  const text = renderExplanation(
    { id: "x", sample: null, rows: [{ step: "load", port: "examples", row }] },
    PLAIN,
  );
  expect(text).toBe(String.raw`load.examples  reason=\u0007  question=a\u001b[2J\u202eb c  id=x`);
});
