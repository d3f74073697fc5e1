import { expect, it } from "vitest";
import { ExportConfig } from "../../pipelines/export-config.ts";

it("needs nothing, and takes options by exporter", () => {
  expect(ExportConfig.parse(undefined)).toEqual({
    exporters: ["verl-rl", "messages-sft"],
    options: {},
    rowsPerFile: 50_000,
    staged: false,
    linker: false,
  });
  expect(ExportConfig.parse({ options: { "messages-sft": { for: "skyrl" } } }).options).toEqual({
    "messages-sft": { for: "skyrl" },
  });
  expect(ExportConfig.safeParse({ stages: true }).success).toBe(false);
});
