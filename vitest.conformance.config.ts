import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/conformance/official/**/*.test.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
