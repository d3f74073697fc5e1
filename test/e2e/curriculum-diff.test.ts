import path from "node:path";
import { expect, it } from "vitest";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { recomputedPlaces } from "./recomputed-places.ts";

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
      recomputedPlaces(path.join(folder, "runs", `spider-dev-${round}`), 5),
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
