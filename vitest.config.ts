import { defineConfig } from "vitest/config";

const SHARED = {
  pool: "forks",
  maxWorkers: "100%",
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

/** Folders whose tests change nothing of their process, so that files can share one. */
const PURE = ["core", "sql", "curation", "synth", "datasets", "pipelines/report", "pipelines/serve"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** Tests of commands start processes: they run with the end-to-end tests. */
const COMMANDS = "test/pipelines/cli/**";

export default defineConfig({
  test: {
    projects: [
      { test: { ...SHARED, name: "pure", include: PURE, isolate: false } },
      {
        test: {
          ...SHARED,
          name: "isolated",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/conformance/official/**", "test/interop/**", COMMANDS, ...PURE],
        },
      },
    ],
  },
});
