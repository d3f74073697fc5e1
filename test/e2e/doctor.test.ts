import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, runGradus } from "./gradus-process.ts";

interface Split {
  readonly split: string;
  readonly release: string;
  readonly problems: readonly string[];
  readonly rejects: readonly unknown[];
  readonly examples: number;
  readonly golds: {
    readonly total: number;
    readonly ran: number;
    readonly broken: readonly { readonly sourceId: string }[];
  };
  readonly duplicates: {
    readonly identical: readonly { readonly sourceId: string; readonly times: number }[];
    readonly conflicting: readonly unknown[];
  };
  readonly databases: readonly { readonly databaseId: string }[];
}

interface Report {
  readonly ok: boolean;
  readonly splits: readonly Split[];
  readonly databases: readonly { readonly databaseId: string; readonly status: string }[];
}

function missingOf(report: Report, split: Split): string[] {
  const used = new Set(split.databases.map((one) => one.databaseId));
  const missing = report.databases.filter((one) => one.status === "missing" && used.has(one.databaseId));
  return missing.map((one) => one.databaseId);
}

function splitOf(report: Report, name: string): Split {
  const found = report.splits.find((one) => one.split === name);
  if (found === undefined) throw new Error(`no split ${name}`);
  return found;
}

function brokenOf(split: Split): string[] {
  return split.golds.broken.map((gold) => gold.sourceId);
}

describeWithShared("gradus doctor on published data", (shared) => {
  async function diagnose(dataset: string): Promise<{ finished: Finished; report: Report }> {
    const env = { GRADUS_DATA: path.join(shared, "data") };
    const finished = await runGradus(["doctor", dataset, "--json"], { cwd: await temporaryFolder(), env });
    expect(finished.stderr).not.toContain("Error");
    return { finished, report: JSON.parse(finished.stdout) as Report };
  }

  describe("Spider", () => {
    let report: Report;
    let status: number | null;

    beforeAll(async () => {
      const diagnosis = await diagnose("spider");
      report = diagnosis.report;
      status = diagnosis.finished.status;
    });

    it("finds three broken golds and two missing databases in train", () => {
      const train = splitOf(report, "train");
      expect(brokenOf(train)).toEqual(["3153", "4513", "4514"]);
      expect(missingOf(report, train).sort()).toEqual(["baseball_1", "soccer_1"]);
      expect([train.golds.ran, train.golds.total, train.examples]).toEqual([6901, 7000, 7000]);
    });

    it("finds one missing database in dev and no broken gold", () => {
      const dev = splitOf(report, "dev");
      expect(brokenOf(dev)).toEqual([]);
      expect(missingOf(report, dev)).toEqual(["wta_1"]);
      expect([dev.golds.ran, dev.golds.total]).toEqual([972, 1034]);
    });

    it("says that not all is well, without problems of its own", () => {
      expect(status).toBe(1);
      expect(report.ok).toBe(false);
      expect(report.splits.flatMap((split) => [...split.problems, ...split.rejects])).toEqual([]);
    });
  });

  it("finds one broken gold in SParC dev", async () => {
    const { report } = await diagnose("sparc");
    const dev = splitOf(report, "dev");
    expect(brokenOf(dev)).toEqual(["161:1"]);
    expect([dev.golds.ran, dev.golds.total]).toEqual([1143, 1203]);
    expect(missingOf(report, dev)).toEqual(["wta_1"]);
  });

  it("finds one broken gold in CoSQL dev and twelve in train", async () => {
    const { report } = await diagnose("cosql");
    const dev = splitOf(report, "dev");
    const train = splitOf(report, "train");
    expect(brokenOf(dev)).toEqual(["100:1"]);
    expect([dev.golds.ran, dev.golds.total]).toEqual([947, 1007]);
    expect([train.golds.ran, train.golds.total]).toEqual([7178, 7343]);
    expect(train.golds.broken).toHaveLength(12);
  });

  it("runs the golds of BIRD for which there are databases, and names rows that are there twice", async () => {
    const { report } = await diagnose("bird");
    const dev = splitOf(report, "dev");
    const mini = splitOf(report, "mini_dev");
    expect([dev.golds.ran, dev.golds.total, dev.release]).toEqual([287, 1534, "2024-06-27"]);
    expect(brokenOf(dev)).toEqual([]);
    expect(mini.duplicates.identical).toEqual([
      { sourceId: "137", times: 2 },
      { sourceId: "138", times: 2 },
    ]);
    expect(mini.duplicates.conflicting).toEqual([]);
    expect(dev.duplicates.identical).toEqual([]);
    expect(splitOf(report, "train").examples).toBe(6601);
  });
});
