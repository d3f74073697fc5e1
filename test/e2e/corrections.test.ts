import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGradus } from "./gradus-process.ts";
import { filesBelow, portRows, type RawRow } from "./raw-run.ts";
import { samplingConfig, SamplingWorkspace, SimulatedServer } from "./sampling-run.ts";

/** BIRD's comparison in another language: the sets of rows that two statements give; null where gold does not run. */
const OFFICIAL = `
import json, sqlite3, sys
def rows(file, sql):
    connection = sqlite3.connect("file:" + file + "?mode=ro", uri=True)
    try:
        return set(connection.execute(sql).fetchall())
    except sqlite3.Error:
        return None
    finally:
        connection.close()
out = []
for case in json.load(sys.stdin):
    gold = rows(case["file"], case["gold"])
    answers = [None if sql is None else rows(case["file"], sql) for sql in case["answers"]]
    out.append(None if gold is None else [answer is not None and answer == gold for answer in answers])
print(json.dumps(out))
`;

interface Row {
  readonly sourceId: string;
  readonly databaseId: string;
  readonly gold: readonly string[];
  readonly question: string;
  readonly id: string;
  readonly dataset: { readonly name: string };
}

interface Figures {
  readonly n: number;
  readonly c: number;
}

interface Effect {
  readonly corrections: { readonly applied: number; readonly byField: Record<string, number> };
  readonly questions: number;
  readonly resampled: number;
  readonly buckets: { readonly bucket: string; readonly before: number; readonly after: number }[];
  readonly moved: {
    readonly exampleId: string;
    readonly from: string;
    readonly to: string;
    readonly before: Figures;
    readonly after: Figures;
    readonly isResampled: boolean;
  }[];
  readonly verdicts: {
    readonly judgedTwice: number;
    readonly wrongToRight: number;
    readonly rightToWrong: number;
  };
  readonly accuracy: {
    readonly system: string;
    readonly setting: string;
    readonly before: { readonly mean: number };
    readonly after: { readonly mean: number };
  }[];
}

function correction(example: Row, field: string, before: string, after: string): string {
  return `${JSON.stringify({
    dataset: example.dataset.name,
    split: "train",
    sourceId: example.sourceId,
    field,
    before,
    after,
    kind: "wrong_logic",
    reason: "checked by hand",
    author: "reviewer",
    time: "2026-01-31T12:00:00Z",
  })}\n`;
}

/** Which answers are right under which golds, by example id. */
function official(workspace: SamplingWorkspace, examples: readonly Row[], answers: readonly RawRow[]) {
  const files = filesBelow(path.join(workspace.folder, "runs", ".sample"));
  const cases = examples.map(({ id, databaseId, gold }) => ({
    file: path.join(
      workspace.folder,
      "runs",
      ".sample",
      files.find((name) => name.endsWith(`/${databaseId}/${databaseId}.sqlite`)) ?? "",
    ),
    gold: gold[0],
    answers: answers.filter((row) => row["exampleId"] === id).map((row) => row["finalSql"]),
  }));
  const script = execFileSync("python3", ["-c", OFFICIAL], {
    input: JSON.stringify(cases),
    encoding: "utf8",
  });
  const verdicts = JSON.parse(script) as (boolean[] | null)[];
  return new Map(examples.map(({ id }, index) => [id, verdicts[index] ?? null]));
}

function bucketOf(verdicts: readonly boolean[] | null): string {
  if (verdicts === null) return "gold_error";
  const right = verdicts.filter(Boolean).length;
  return right === 0 ? "intractable" : right === verdicts.length ? "trivial" : "kept";
}

describe("corrections of a finished run", () => {
  let server: SimulatedServer;
  let workspace: SamplingWorkspace;
  let examples: Row[];
  let answers: RawRow[];
  let before: ReturnType<typeof official>;
  let requests: number;

  const configure = (spider: readonly string[], bird: readonly string[] = []): void => {
    const config = samplingConfig(server.baseUrl) as { datasets: { corrections?: readonly string[] }[] };
    for (const [index, files] of [spider, bird].entries())
      (config.datasets[index] as { corrections?: readonly string[] }).corrections = files.map(
        (file) => `./${file}`,
      );
    writeFileSync(path.join(workspace.folder, "run.json"), JSON.stringify(config));
  };
  const write = (name: string, ...lines: string[]): void => {
    writeFileSync(path.join(workspace.folder, name), lines.join(""));
  };
  const effect = async (): Promise<Effect> => {
    const finished = await runGradus(["audit", "effect", "sampled", "--json"], { cwd: workspace.folder });
    expect(finished.status, finished.stderr).toBe(0);
    return JSON.parse(finished.stdout) as Effect;
  };

  beforeAll(async () => {
    server = await SimulatedServer.start();
    workspace = await SamplingWorkspace.make(server.baseUrl);
    await workspace.complete();
    requests = (await server.settledRequests()).length;
    examples = portRows(workspace.runFolder, "combine", "examples") as unknown as Row[];
    answers = portRows(workspace.runFolder, "sample", "trajectories");
    before = official(workspace, examples, answers);
  });

  afterAll(() => server.stop());

  it("re-scores without asking the model, and says what moved as an independent count does", async () => {
    const corrected = new Map<string, string>();
    for (const example of examples) {
      const verdicts = before.get(example.id) ?? [];
      const wrong = answers
        .filter((row) => row["exampleId"] === example.id)
        .find((row, index) => verdicts[index] === false && typeof row["finalSql"] === "string");
      if (wrong !== undefined && corrected.size < 8) corrected.set(example.id, String(wrong["finalSql"]));
    }
    expect(corrected.size).toBe(8);
    const lines = (name: string): string[] =>
      examples
        .filter(({ id, dataset }) => corrected.has(id) && dataset.name === name)
        .map((example) =>
          correction(example, "gold", example.gold[0] ?? "", corrected.get(example.id) ?? ""),
        );
    write("spider.jsonl", ...lines("spider"));
    write("bird.jsonl", ...lines("bird"));
    configure(["spider.jsonl"], ["bird.jsonl"]);

    const planned = await runGradus(["plan", "run.json", "--json"], { cwd: workspace.folder });
    expect(JSON.parse(planned.stdout)).toMatchObject({
      corrections: { applied: 8, questions: 8, byField: { gold: 8, question: 0, evidence: 0 }, stale: [] },
    });

    const { funnel } = JSON.parse((await workspace.complete()).stdout) as {
      funnel: { name: string; count: number; depth: number }[];
    };
    expect(await server.settledRequests()).toHaveLength(requests);
    const end = funnel.findIndex(({ depth }, index) => index > 0 && depth === 0);
    expect(funnel[0]?.count).toBe(examples.length);
    expect(funnel.slice(1, end).reduce((sum, { count }) => sum + count, 0)).toBe(examples.length);

    const now = examples.map((example) => ({
      ...example,
      gold: [corrected.get(example.id) ?? example.gold[0] ?? ""],
    }));
    const after = official(workspace, now, answers);
    const expected = examples.flatMap(({ id }) => {
      const [was, is] = [before.get(id) ?? null, after.get(id) ?? null];
      const count = (verdicts: readonly boolean[] | null): Figures => ({
        n: verdicts?.length ?? 0,
        c: verdicts?.filter(Boolean).length ?? 0,
      });
      if (JSON.stringify([bucketOf(was), count(was)]) === JSON.stringify([bucketOf(is), count(is)]))
        return [];
      return [{ exampleId: id, from: bucketOf(was), to: bucketOf(is), before: count(was), after: count(is) }];
    });
    const found = await effect();
    expect(found.moved.length).toBeGreaterThan(3);
    expect(
      found.moved.map(({ exampleId, from, to, before: was, after: is }) => ({
        exampleId,
        from,
        to,
        before: was,
        after: is,
      })),
    ).toEqual(expected);
    const counted = (verdicts: ReturnType<typeof official>, bucket: string): number =>
      [...verdicts.values()].filter((one) => bucketOf(one) === bucket).length;
    for (const { bucket, before: was, after: is } of found.buckets)
      expect([bucket, was, is]).toEqual([bucket, counted(before, bucket), counted(after, bucket)]);
    const pairs = examples.flatMap(({ id }) =>
      (before.get(id) ?? []).map((was, index) => [was, after.get(id)?.[index] ?? null] as const),
    );
    expect(found.verdicts.wrongToRight).toBe(pairs.filter(([was, is]) => !was && is === true).length);
    expect(found.verdicts.rightToWrong).toBe(pairs.filter(([was, is]) => was && is === false).length);
    expect(found.verdicts.judgedTwice).toBe(answers.length);
    expect(found).toMatchObject({ corrections: { applied: 8, byField: { gold: 8 } }, resampled: 0 });
    for (const { system, setting, before: was, after: is } of found.accuracy) {
      const sampleIndex = Number(system.split("#")[1]);
      const mean = (verdicts: ReturnType<typeof official>): number => {
        const scores = examples.flatMap(({ id }) => {
          const own = answers.filter((row) => row["exampleId"] === id);
          const place = own.findIndex(
            (row) => row["sampleIndex"] === sampleIndex && (row["scaffold"] as { id: string }).id === setting,
          );
          return verdicts.get(id)?.[place] ?? [];
        });
        return scores.filter(Boolean).length / scores.length;
      };
      expect(was.mean).toBeCloseTo(mean(before), 10);
      expect(is.mean).toBeCloseTo(mean(after), 10);
    }
  });

  it("samples only what a corrected question leaves stale", async () => {
    const example = examples.find(({ dataset }) => dataset.name === "spider") as Row;
    write(
      "question.jsonl",
      correction(example, "question", example.question, `${example.question} Say it exactly.`),
    );
    configure(["question.jsonl"]);
    const planned = await runGradus(["plan", "run.json", "--json"], { cwd: workspace.folder });
    const stale = [
      {
        dataset: "spider",
        split: "train",
        sourceId: example.sourceId,
        databaseId: example.databaseId,
        exampleId: example.id,
        because: ["question"],
        samples: 4,
      },
    ];
    expect(JSON.parse(planned.stdout)).toMatchObject({ corrections: { applied: 1, stale } });
    const asked = (await server.settledRequests()).length;
    await workspace.run();
    const fresh = portRows(workspace.runFolder, "sample", "trajectories");
    const known = new Set(answers.map((row) => row["id"]));
    const renewed = fresh.filter((row) => !known.has(row["id"]));
    expect(renewed).toHaveLength(4);
    expect(new Set(renewed.map((row) => row["exampleId"]))).toHaveProperty("size", 1);
    expect((await server.settledRequests()).length).toBeGreaterThan(asked);
    expect(await effect()).toMatchObject({ resampled: 1, corrections: { byField: { question: 1 } } });
  });

  it("refuses a stale and a conflicting overlay with file, line and what is there now", async () => {
    const example = examples.find(({ dataset }) => dataset.name === "spider") as Row;
    const gold = example.gold[0] ?? "";
    write("stale.jsonl", "\n", correction(example, "gold", "SELECT 1", "SELECT 2"));
    configure(["stale.jsonl"]);
    const stale = await workspace.run();
    expect(stale.status).toBe(1);
    expect(stale.stderr).toContain("CORRECTION_STALE: cannot apply the correction in line 2 of stale.jsonl");
    expect(stale.stderr).toContain(JSON.stringify(gold));
    write("first.jsonl", correction(example, "gold", gold, "SELECT 1"));
    write("second.jsonl", correction(example, "gold", gold, "SELECT 2"));
    configure(["first.jsonl", "second.jsonl"]);
    const conflicting = await workspace.run();
    expect(conflicting.status).toBe(1);
    expect(conflicting.stderr).toContain(
      "CORRECTION_CONFLICT: cannot apply the correction in line 1 of second.jsonl: line 1 of first.jsonl has corrected the gold",
    );
    expect(conflicting.stderr).toContain('there is now "SELECT 1"');
  });
});

describe("a corrected turn of a dialogue whose golds are shown", () => {
  it("leaves only the later turns of its dialogue stale", async () => {
    const dataset = { loader: "cosql", root: "sample:cosql", split: "train", license: "CC0-1.0", limit: 12 };
    const rollout = { model: "student", scaffold: "single-turn", samples: 2, options: { history: "gold" } };
    const answers = { concurrency: 8, rollouts: [rollout] };
    const changes = { config: { datasets: [dataset], answers } };
    const server = await SimulatedServer.startOn(changes);
    try {
      const workspace = await SamplingWorkspace.make(server.baseUrl, changes);
      await workspace.complete("--until", "filter");
      const asked = (await server.settledRequests()).length;
      const examples = portRows(workspace.runFolder, "load", "examples") as unknown as Row[];
      const [first] = examples as [Row];
      const later = examples
        .filter(({ sourceId }) => /^0:[1-9]/.test(sourceId))
        .map(({ sourceId }) => sourceId);
      expect(later.length).toBeGreaterThan(1);
      const fix = correction(first, "gold", first.gold[0] ?? "", "SELECT count(*) + 1 FROM vessels");
      writeFileSync(path.join(workspace.folder, "fixes.jsonl"), fix);
      const corrected = { config: { datasets: [{ ...dataset, corrections: ["./fixes.jsonl"] }], answers } };
      workspace.change(server.baseUrl, corrected);
      const planned = await runGradus(["plan", "run.json", "--json"], { cwd: workspace.folder });
      const { corrections } = JSON.parse(planned.stdout) as {
        corrections: { stale: { sourceId: string; because: string[]; samples: number }[] };
      };
      expect(
        corrections.stale.map(({ sourceId, because, samples }) => ({ sourceId, because, samples })),
      ).toEqual(later.map((sourceId) => ({ sourceId, because: ["history"], samples: 2 })));
      await workspace.complete("--until", "filter");
      expect((await server.settledRequests()).length).toBe(asked + later.length * 2);
    } finally {
      await server.stop();
    }
  });
});
