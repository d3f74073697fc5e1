import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ArtifactStore } from "../../io/artifact-store.ts";
import { exportPredictions, oneLine } from "../../pipelines/export-predictions.ts";
import { example, trajectory } from "../curation/sample-rows.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PARTS = { version: 1, seed: 1, options: {}, plugs: [], inputs: {}, sources: [] };

describe("oneLine", () => {
  it.each([
    ["SELECT a\n  FROM t -- all\n WHERE b = 1", "SELECT a FROM t WHERE b = 1"],
    ["SELECT 'two  spaces' /* c */ FROM t", "SELECT 'two  spaces' FROM t"],
    ["SELECT 'a\nb\tc'", "SELECT 'a b c'"],
    ["SELECT '-- no comment' FROM \"a\tb\"", "SELECT '-- no comment' FROM \"a b\""],
    [" \n ", ""],
  ])("%j", (sql, line) => {
    expect(oneLine(sql)).toBe(line);
  });
});

describe("exportPredictions", () => {
  async function exported(form: "bird-json" | "spider-text") {
    const folder = await temporaryFolder();
    const store = new ArtifactStore(path.join(folder, "artifacts"));
    const artifacts = new Map();
    const put = async (step: string, port: string, rows: readonly unknown[]) => {
      const unfinished = await store.begin(step, { ...PARTS, stage: step }, [port]);
      for (const row of rows) await unfinished.add(port, row, undefined);
      artifacts.set(step, await unfinished.seal());
    };
    const dialogue = (id: string, turn: number) => ({ dialogue: { id, turn, turns: 2 } });
    await put("load", "examples", [
      example("a", dialogue("0", 0)),
      example("b", dialogue("0", 1)),
      example("c", dialogue("1", 0)),
    ]);
    const other = { model: { name: "other.sql", revision: "1" } };
    await put("import", "trajectories", [
      trajectory("a", 0, "SELECT 1\nFROM t"),
      { ...trajectory("a", 1, "SELECT 2"), ...other, sampleIndex: 0 },
      trajectory("b", 0, null),
      trajectory("c", 0, "SELECT 'é'"),
    ]);
    const parts = {
      result: { steps: [], artifacts },
      store,
      examples: { step: "load", port: "examples" },
      trajectories: [{ name: null, link: { step: "import", port: "trajectories" } }],
    };
    const files = await exportPredictions(parts, path.join(folder, "out"), form);
    return files.map((file) => [path.basename(file), readFileSync(file, "utf8")]);
  }

  it("writes a line a question, a blank one between dialogues, and something where there is no answer", async () => {
    expect(await exported("spider-text")).toEqual([
      ["student.txt", "SELECT 1 FROM t\nno answer\n\nSELECT 'é'\n"],
      ["other.txt", "SELECT 2\nno answer\n\nno answer\n"],
    ]);
  });

  it("writes BIRD's object by place", async () => {
    const [[name, text] = []] = await exported("bird-json");
    expect(name).toBe("student.json");
    expect(JSON.parse(text ?? "")).toEqual({
      0: "SELECT 1\nFROM t\t----- bird -----\tferries",
      1: "\t----- bird -----\tferries",
      2: "SELECT 'é'\t----- bird -----\tferries",
    });
  });
});
