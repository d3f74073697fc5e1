import path from "node:path";
import { expect, it } from "vitest";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { portRows, type RawRow } from "./raw-run.ts";

interface Diff {
  readonly movement: readonly {
    readonly before: string;
    readonly after: string;
    readonly questions: number;
  }[];
  readonly buckets: Diff["movement"];
  readonly changes: Readonly<Record<string, number>>;
  readonly kept: { readonly before: number; readonly after: number };
  readonly moved: readonly { readonly exampleId: string; readonly change: string }[];
}

const HARDNESS = ["easy", "medium", "hard", "extra"];

/**
 * Places computed again from judged samples: n scored and c right; dropped where the gold fails, or all are right or
 * wrong; else thirds of each split by pass rate, hardness and place in the dataset. Splits are taken as they are.
 */
function placesOf(runFolder: string): Map<string, string> {
  const samples = new Map<string, { n: number; c: number }>();
  for (const row of portRows(runFolder, "score", "samples")) {
    const verdict = (row["verdicts"] as Record<string, { status: string; score?: number }>)["bird-ex"];
    const sum = samples.get(row["exampleId"] as string) ?? { n: 0, c: 0 };
    samples.set(row["exampleId"] as string, sum);
    if (verdict?.status === "scored") sum.n += 1;
    if (verdict?.score === 1) sum.c += 1;
  }
  const splits = new Map(
    portRows(runFolder, "split", "examples").map((row) => [
      row["exampleId"] as string,
      row["split"] as string,
    ]),
  );
  const places = new Map<string, string>();
  const kept: { id: string; split: string; rate: number; hardness: number; position: number }[] = [];
  for (const [position, gold] of portRows(runFolder, "score", "golds").entries()) {
    const id = gold["exampleId"] as string;
    const { n, c } = samples.get(id) ?? { n: 0, c: 0 };
    if (gold["reason"] !== "ok") places.set(id, gold["reason"] as string);
    else if (n === 5 && c === n) places.set(id, "trivial");
    else if (n === 5 && c === 0) places.set(id, "intractable");
    else
      kept.push({ id, split: splits.get(id) ?? "none", rate: c / n, hardness: hardnessOf(gold), position });
  }
  for (const split of ["train", "validation"]) {
    const ordered = kept
      .filter((row) => row.split === split)
      .sort((a, b) => b.rate - a.rate || a.hardness - b.hardness || a.position - b.position);
    for (const [rank, { id }] of ordered.entries()) {
      const level = `level ${1 + Math.floor((3 * rank) / ordered.length)}`;
      places.set(id, split === "train" ? level : `validation ${level}`);
    }
  }
  return places;
}

function hardnessOf(gold: RawRow): number {
  const label = (gold["labels"] as Record<string, { label?: string }>)["spider-hardness"]?.label ?? "";
  return HARDNESS.includes(label) ? HARDNESS.indexOf(label) : HARDNESS.length;
}

describeWithShared("two rounds on Spider dev", (shared) => {
  it("move as an independent count says, and nothing is made again for it", async () => {
    const folder = await temporaryFolder();
    const env = { GRADUS_DATA: path.join(shared, "data") };
    for (const round of ["before", "after"]) {
      const config = path.join(PROJECT_ROOT, `configs/spider-dev-${round}.yaml`);
      const run = await runGradus(["run", config, "--quiet"], { cwd: folder, env });
      expect(run.status, run.stderr).toBe(0);
    }
    const names = ["--before", "spider-dev-before", "--after", "spider-dev-after"];
    const finished = await runGradus(["curriculum", "diff", ...names, "--json"], { cwd: folder });
    expect(finished.status, finished.stderr).toBe(0);
    const diff = JSON.parse(finished.stdout) as Diff;

    const [before, after] = ["before", "after"].map((round) =>
      placesOf(path.join(folder, "runs", `spider-dev-${round}`)),
    ) as [Map<string, string>, Map<string, string>];
    expect([before.size, after.size]).toEqual([1034, 1034]);
    const counts: Record<string, number> = {};
    for (const [id, place] of before) {
      const key = `${place} -> ${after.get(id)}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const told = Object.fromEntries(
      diff.movement.map((row) => [`${row.before} -> ${row.after}`, row.questions]),
    );
    expect(told).toEqual(counts);

    const isKept = (place: string | undefined): boolean => place?.includes("level") === true;
    const left = [...before].filter(([id, place]) => isKept(place) && !isKept(after.get(id)));
    const came = [...before].filter(([id, place]) => !isKept(place) && isKept(after.get(id)));
    expect([diff.changes["left"], diff.changes["came_back"]]).toEqual([left.length, came.length]);
    const moved = [...before].filter(([id, place]) => place !== after.get(id)).map(([id]) => id);
    expect(new Set(diff.moved.map(({ exampleId }) => exampleId))).toEqual(new Set(moved));
    expect(Object.values(diff.changes).reduce((sum, count) => sum + count)).toBe(1034);

    const text = await runGradus(["curriculum", "diff", ...names], { cwd: folder });
    expect(text.stdout).toMatch(new RegExp(`^ +${left.length} {2}left the curriculum$`, "m"));
  });
});

it("a run that is not there is named, with those that are", async () => {
  const folder = await temporaryFolder();
  const finished = await runGradus(["curriculum", "diff", "--before", "a", "--after", "b"], { cwd: folder });
  expect(finished.status).toBe(1);
  expect(finished.stderr).toContain('there is no run "a"');
});
