import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT } from "./gradus-process.ts";
import { shopWorkspace } from "./shop-workspace.ts";

/** The file that the README adds, and its text. */
function plugOfReadme(): { file: string; source: string } {
  const readme = readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8");
  const found = /`(curation\/metrics\/[a-z-]+\.ts)`[^\n]*\n+```ts\n([^`]*)```/.exec(readme);
  return { file: found?.[1] ?? "", source: found?.[2] ?? "" };
}

it("the metric that the README adds as one file is found by its name, in a copy of the built project", async () => {
  const { file, source } = plugOfReadme();
  expect(file).not.toBe("");
  expect(existsSync(path.join(PROJECT_ROOT, file))).toBe(false);
  const copy = await temporaryFolder();
  cpSync(path.join(PROJECT_ROOT, "dist"), path.join(copy, "dist"), { recursive: true });
  cpSync(path.join(PROJECT_ROOT, "package.json"), path.join(copy, "package.json"));
  symlinkSync(path.join(PROJECT_ROOT, "node_modules"), path.join(copy, "node_modules"));
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
  };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  writeFileSync(path.join(copy, "dist", file.replace(/\.ts$/, ".js")), outputText);

  const folder = await shopWorkspace();
  const pair = { db_id: "north", gold: "SELECT name FROM shop", pred: "SELECT id FROM shop" };
  writeFileSync(path.join(folder, "pairs.jsonl"), `${JSON.stringify(pair)}\n`);
  const metrics = `bird-ex,${path.basename(file, ".ts")}`;
  const files = ["--pairs", "pairs.jsonl", "--databases", "shops/database", "--out", "judged.jsonl"];
  const args = [
    path.join(copy, "dist/pipelines/cli/main.js"),
    "score",
    ...files,
    "--metrics",
    metrics,
    "--quiet",
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("bird-ex: 1 scored, mean 0.0000");
  expect(stdout).toContain("row-count: 1 scored, mean 1.0000");
});
