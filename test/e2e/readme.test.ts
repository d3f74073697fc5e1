import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedFolder } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT } from "./gradus-process.ts";

/** A command of the README and what it says that it prints. */
interface Shown {
  readonly line: number;
  readonly command: string;
  readonly expected: readonly string[];
}

const REST = "…";
const CLI = path.join(PROJECT_ROOT, "dist/pipelines/cli/main.js");

/** The commands in the blocks marked `console`, in their order. */
function commandsOf(markdown: string): Shown[] {
  const found: { line: number; command: string; expected: string[] }[] = [];
  let inBlock = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    if (text.startsWith("```")) inBlock = !inBlock && text.slice(3).trim() === "console";
    else if (inBlock && text.startsWith("$ "))
      found.push({ line: index + 1, command: text.slice(2), expected: [] });
    else if (inBlock) found.at(-1)?.expected.push(text);
  }
  return found.map((shown) => ({ ...shown, expected: withoutBlankEnds(shown.expected) }));
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .replace(/^\n+|\s+$/g, "")
    .split("\n");
}

/** The pattern of a shown output: `…` alone on a line stands for any lines, within a line for any text. */
function patternOf(expected: readonly string[]): RegExp {
  const lines = expected.map((line) =>
    line.trim() === REST
      ? "(?:.*\\n)*?"
      : `${line
          .split(REST)
          .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join(".*")}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`);
}

/** `npx gradus` and `npm start` as the project's own built files, for a shell that looks here first. */
function writeCommands(folder: string): void {
  const gradus = `exec "${process.execPath}" "${CLI}"`;
  const config = "configs/quickstart.yaml";
  const scripts = {
    npx: `[ "$1" = gradus ] || { echo "npx $1 is not known to this test" >&2; exit 64; }\nshift\n${gradus} "$@"`,
    npm: `case "$1" in\n  ci) exit 0 ;;\n  start) ${gradus} run ${config} ;;\n  *) echo "npm $1 is not known to this test" >&2; exit 64 ;;\nesac`,
  };
  mkdirSync(folder);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
}

const shown = commandsOf(readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8"));
const shared = sharedFolder();

describe("the README", () => {
  let home: string;
  let checkout: string;

  beforeAll(async () => {
    home = await temporaryFolder();
    checkout = path.join(home, "gradus");
    mkdirSync(checkout);
    cpSync(path.join(PROJECT_ROOT, "configs"), path.join(checkout, "configs"), { recursive: true });
    writeCommands(path.join(home, "bin"));
    if (shared !== undefined) symlinkSync(path.join(shared, "data"), path.join(home, "data"));
  });

  it("shows commands with their output", () => {
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter(({ expected }) => expected.join("") === "")).toEqual([]);
    expect(shown.some(({ command }) => /gradus run|npm start/.test(command))).toBe(true);
  });

  for (const { line, command, expected } of shown) {
    const needsData = /GRADUS_DATA|\.\.\/shared|~\/data/.test(command);
    const skipped = needsData && shared === undefined && process.env["CI"] !== "true";
    it.skipIf(skipped)(`line ${line}: ${command}${skipped ? " (needs the shared data folder)" : ""}`, () => {
      const PATH = `${path.join(home, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`;
      const env = { ...process.env, GRADUS_DATA: undefined, HOME: home, PATH };
      const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: checkout, env, encoding: "utf8" });
      if (patternOf(expected).test(stdout)) return;
      expect(stdout, stderr).toBe(`${expected.join("\n")}\n`);
    });
  }
});
