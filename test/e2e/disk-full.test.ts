import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { runGradus } from "./gradus-process.ts";
import { digestsBelow, falselyWhole, filesBelow } from "./raw-run.ts";
import { shopWorkspace } from "./shop-workspace.ts";
import { shopQuestions } from "./spider-fixture.ts";

const DISK_BYTES = 2_097_152;

const BLOCK_BYTES = 4096;

/** Room left for a run, as a share of what its finished folder takes. */
const SHARES = [0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.85, 0.92, 0.98];

const disks: string[] = [];

/** A small disk in memory, or why this system gives none. */
function mountDisk(at: string): string | undefined {
  mkdirSync(at);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", at], { stdio: "pipe" });
    disks.push(at);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : String(thrown);
  }
}

const probe = await temporaryFolder();
const refusal = mountDisk(path.join(probe, "disk"));
const title =
  refusal === undefined ? "a full disk" : `a full disk (not tried: no disk can be mounted, ${refusal})`;

afterAll(() => {
  for (const disk of disks) execFileSync("umount", [disk]);
});

describe.skipIf(refusal !== undefined)(title, () => {
  let undisturbed: Record<string, string>;
  let neededBytes: number;

  beforeAll(async () => {
    const folder = await shopWorkspace({}, shopQuestions(30));
    expect((await runGradus(["run", "run.yaml", "--quiet"], { cwd: folder })).status).toBe(0);
    undisturbed = digestsBelow(path.join(folder, "runs/shops/shards"));
    const sizes = filesBelow(path.join(folder, "runs")).map(
      (name) => statSync(path.join(folder, "runs", name)).size,
    );
    neededBytes = sizes.reduce((sum, size) => sum + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES, 0);
    expect(neededBytes).toBeLessThan(DISK_BYTES);
  });

  it.each(SHARES)(
    "with room for a share of %f stops the run with DISK_FULL, and the run goes on once there is room",
    async (share) => {
      const folder = await shopWorkspace({}, shopQuestions(30));
      const disk = path.join(folder, "disk");
      expect(mountDisk(disk)).toBeUndefined();
      const room = statfsSync(disk);
      const free = Math.floor((share * neededBytes) / BLOCK_BYTES) * BLOCK_BYTES;
      writeFileSync(path.join(disk, "ballast"), Buffer.alloc(room.bavail * room.bsize - free));
      const args = ["run", "run.yaml", "--quiet", "--runs", disk];
      const full = await runGradus(args, { cwd: folder });
      expect(full.stderr).toMatch(/^DISK_FULL: /);
      expect(full.stderr.match(/^[A-Z]+(_[A-Z]+)+: /gm)).toHaveLength(1);
      expect(full.stderr).not.toMatch(/^\s+at /m);
      expect(full.status).toBe(1);
      expect(falselyWhole(path.join(disk, "shops"))).toEqual([]);
      rmSync(path.join(disk, "ballast"));
      const again = await runGradus(args, { cwd: folder });
      expect(again.status, again.stderr).toBe(0);
      expect(digestsBelow(path.join(disk, "shops/shards"))).toEqual(undisturbed);
      expect(existsSync(path.join(disk, "shops/shards/verl-rl.partial"))).toBe(false);
    },
  );
});
