import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PLUG_FOLDERS } from "../pipelines/plugs.ts";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** Who may import whom; type-only and dynamic imports count. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  sql: ["core", "sql"],
  io: ["core", "sql", "io"],
  datasets: ["core", "sql", "io", "datasets"],
  synth: ["core", "sql", "io", "synth"],
  curation: ["core", "sql", "io", "curation"],
  embeddings: ["core", "sql", "io", "embeddings"],
  pipelines: ["core", "sql", "io", "datasets", "synth", "curation", "embeddings", "pipelines"],
};

/** External packages a folder may use; `io` may use any. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: ["zod", "node:crypto"],
  sql: [],
  datasets: ["zod", "node:path", "p-map"],
  synth: ["zod", "node:path", "p-map", "p-limit"],
  curation: ["zod", "node:path", "p-map", "yaml", "munkres", "@huggingface/jinja", "@huggingface/tokenizers"],
  embeddings: ["zod", "node:path"],
  pipelines: [
    "zod",
    "node:path",
    "node:url",
    "commander",
    "yaml",
    "cli-progress",
    "p-map",
    "@observablehq/plot",
    "linkedom",
  ],
};

/** HTTP servers are made in `pipelines/serve` alone. */
const SERVER_PACKAGE = "fastify";

interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
}

function sourceFiles(folder: string): string[] {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(folder, name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  return ts.preProcessFile(text, true, true).importedFiles.map((found) => ({
    file,
    line: text.slice(0, found.pos).split("\n").length,
    specifier: found.fileName,
  }));
}

/** Why an import is not allowed, or `undefined`. */
function violation(found: Import): string | undefined {
  const from = found.file.split(path.sep)[0] as string;
  const place = `${found.file}:${found.line} imports ${found.specifier}`;
  if (found.specifier.startsWith(".")) {
    const target = path.relative(ROOT, path.resolve(ROOT, path.dirname(found.file), found.specifier));
    const to = target.split(path.sep)[0] as string;
    if (!FOLDERS[from]?.includes(to)) return `${place}: ${from} may import only ${FOLDERS[from]?.join(", ")}`;
    if (isPlug(target) && from !== "pipelines") return `${place}: a plug is found by its id, never imported`;
    return undefined;
  }
  const name = found.specifier.startsWith("@")
    ? found.specifier.split("/").slice(0, 2).join("/")
    : found.specifier.startsWith("node:")
      ? found.specifier
      : (found.specifier.split("/")[0] as string);
  if (name === SERVER_PACKAGE && found.file.startsWith(path.join("pipelines", "serve"))) return undefined;
  const allowed = PACKAGES[from];
  return allowed === undefined || allowed.includes(name)
    ? undefined
    : `${place}: ${from} may use only ${allowed.join(", ")}`;
}

function isPlug(target: string): boolean {
  return Object.values(PLUG_FOLDERS).includes(path.dirname(target).split(path.sep).join("/"));
}

/** The first import cycle found, as a list of files. */
function cycleIn(files: readonly string[]): string[] | undefined {
  const edges = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((found) => found.specifier.startsWith("."))
        .map((found) => path.join(path.dirname(file), found.specifier)),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    const start = trail.indexOf(file);
    if (start >= 0) return [...trail.slice(start), file];
    if (done.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const files = Object.keys(FOLDERS).flatMap(sourceFiles);

describe("imports", () => {
  it("point down, and each folder uses only its packages", () => {
    const violations = files.flatMap(importsOf).flatMap((found) => violation(found) ?? []);
    expect(violations).toEqual([]);
  });

  it("form no cycle, types included", () => {
    expect(cycleIn(files)).toBeUndefined();
  });

  it("are refused with the line when they point sideways", () => {
    const planted = { file: "synth/planted.ts", line: 3, specifier: "../curation/score.ts" };
    expect(violation(planted)).toBe(
      "synth/planted.ts:3 imports ../curation/score.ts: synth may import only core, sql, io, synth",
    );
    const effect = { file: "curation/planted.ts", line: 1, specifier: "node:fs/promises" };
    expect(violation(effect)).toBe(
      "curation/planted.ts:1 imports node:fs/promises: curation may use only zod, node:path, p-map, yaml, munkres, @huggingface/jinja, @huggingface/tokenizers",
    );
  });
});

describe("names", () => {
  it("are kebab-case and say what a file is", () => {
    const vague = /(^|-)(utils?|helpers?|common|misc|types)$|^index$/;
    const wrong = files.filter((file) => {
      const stem = path.basename(file, ".ts");
      return vague.test(stem) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem);
    });
    expect(wrong).toEqual([]);
  });

  it("are the ids of plugs, and only plugs have default exports", () => {
    const withDefault = files.filter((file) =>
      /^export default /m.test(readFileSync(path.join(ROOT, file), "utf8")),
    );
    const expected = files.filter(
      (file) => isPlug(file) || /^pipelines\/cli\/(?!main|command|program)/.test(file),
    );
    expect(withDefault.sort()).toEqual(expected.sort());
  });
});

describe("tests", () => {
  it("mirror every source file that holds code", () => {
    const missing = files.filter((file) => {
      const code = ts.transpileModule(readFileSync(path.join(ROOT, file), "utf8"), {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
      }).outputText;
      if (code.replace(/\/\*[\s\S]*?\*\//g, "").trim() === "export {};") return false;
      return !existsSync(path.join(ROOT, "test", file.replace(/\.ts$/, ".test.ts")));
    });
    expect(missing).toEqual([]);
  });
});
