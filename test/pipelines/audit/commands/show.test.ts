import { expect, it } from "vitest";
import { runGradus } from "../../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../../e2e/shop-workspace.ts";

it("shows an example by its id, and refuses one that is not there", async () => {
  const folder = await shopWorkspace();
  const args = ["--dataset", "spider", "--root", "./shops", "--split", "train", "--workers", "1"];
  const shown = await runGradus(["audit", "show", "3", ...args], { cwd: folder });
  expect(shown.status, shown.stderr).toBe(0);
  expect(shown.stdout).toMatch(
    /^spider train 3 \(south\) [0-9a-f]{32}\nscore 0\.\d\d\n\nquestion: Which shops/,
  );
  expect(shown.stdout).toContain("gold: SELECT name FROM shop WHERE staff > 3\n  name\n  Mill\n  Gate\n");
  const missing = await runGradus(["audit", "show", "99", ...args], { cwd: folder });
  expect(missing.status).toBe(1);
  expect(missing.stderr).toContain('AUDIT_EXAMPLE_UNKNOWN: spider train has no example "99"');
});
