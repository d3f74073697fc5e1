import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "../e2e/gradus-process.ts";

/** Keeps 40 MB and makes several times as much that lives for a while; prints the largest heap, in bytes. */
const CHURN = `
  const kept = Array.from({ length: 40 }, () => new Array(131072).fill(0.5));
  const recent = [];
  let largest = 0;
  for (let turn = 0; turn < 4000; turn += 1) {
    recent.push(new Array(16384).fill(0.5));
    if (recent.length > 100) recent.shift();
    largest = Math.max(largest, process.memoryUsage().heapTotal);
  }
  console.log(largest * Math.sign(kept.length));
`;

function largestHeap(before: string): number {
  const module = path.join(PROJECT_ROOT, "dist/io/heap-growth.js");
  const code = `import { limitHeapGrowth } from ${JSON.stringify(module)}; ${before} ${CHURN}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return Number(stdout);
}

it("keeps the heap closer to what is alive in it", () => {
  expect(largestHeap("limitHeapGrowth();")).toBeLessThan(largestHeap("") - 20_000_000);
});
