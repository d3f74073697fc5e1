import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Example } from "../../core/example.ts";
import { importPredictionsStage } from "../../synth/import-predictions.ts";
import type { ImportPredictionsOptions } from "../../synth/import-predictions.ts";
import { writeFolder } from "../datasets/dataset-fixtures.ts";
import { rowsOf, runStage } from "../fakes/run-stage.ts";
import { describeWithShared } from "../shared-folder.ts";
import { example, FERRIES, plugs } from "./synth-rows.ts";

type Imports = z.input<typeof ImportPredictionsOptions>["imports"];
const EXAMPLES = [example("0"), example("1")];

async function run(
  files: Readonly<Record<string, string>>,
  imports: Imports,
  examples: Example[] = EXAMPLES,
) {
  const root = await writeFolder(files);
  return runStage(
    importPredictionsStage,
    { examples, databases: [FERRIES] },
    { imports },
    { plugs, runtime: { files: imports.map(({ name }) => path.join(root, name)) } },
  );
}

describe("importPredictionsStage", () => {
  it("orders by example, model and sample, and counts files of one model as samples", async () => {
    const a = { name: "a" };
    const { trajectories, rejects } = await run(
      {
        "one.txt": "A0\nA1\n",
        "two.json": '{"1": "B1", "0": "B0\\t----- bird -----\\tferries"}',
        "three.jsonl":
          '{"id":"1","sql":"C1","sample_index":1}\n{"id":"1","sql":"C0","sample_index":0}\n{"id":"0","sql":"C2"}',
        "four.csv": "question,sql\nQuestion 0?,D0\nQuestion 1?,D1\n",
      },
      [
        { name: "one.txt", model: a },
        { name: "two.json", model: { name: "b", revision: "r1" } },
        { name: "three.jsonl", model: a },
        { name: "four.csv", model: a },
      ],
    );
    expect(rejects).toEqual([]);
    expect(
      trajectories.map((row) => [row.exampleId.at(-1), row.model.name, row.sampleIndex, row.finalSql]),
    ).toEqual([
      ["0", "a", 0, "A0"],
      ["0", "a", 1, "C2"],
      ["0", "a", 3, "D0"],
      ["0", "b", 0, "B0"],
      ["1", "a", 0, "A1"],
      ["1", "a", 1, "C0"],
      ["1", "a", 2, "C1"],
      ["1", "a", 3, "D1"],
      ["1", "b", 0, "B1"],
    ]);
    expect(new Set(trajectories.map((row) => row.id)).size).toBe(9);
    expect(trajectories.find((row) => row.model.name === "b")?.model.revision).toBe("r1");
  });

  it("takes the digest of its file for a model's revision", async () => {
    const { trajectories } = await run({ "one.txt": "A0\nA1\n" }, [
      { name: "one.txt", model: { name: "a" } },
    ]);
    // printf 'A0\nA1\n' | sha256sum
    expect(trajectories[0]?.model.revision).toBe("e13286460a30");
  });

  it("gives files of one model one revision", async () => {
    const model = { name: "a" };
    const { trajectories } = await run({ "one.txt": "A0\nA1\n", "two.txt": "B0\nB1\n" }, [
      { name: "one.txt", model },
      { name: "two.txt", model },
    ]);
    expect(new Set(trajectories.map((row) => row.model.revision)).size).toBe(1);
  });

  it("keeps blank lines as empty answers", async () => {
    const { trajectories } = await run({ "one.txt": "\nA1" }, [{ name: "one.txt", model: { name: "a" } }]);
    expect(trajectories.map((row) => [row.finalSql, row.stopReason])).toEqual([
      ["", "no_answer"],
      ["A1", "answered"],
    ]);
  });

  it("leaves out examples that a partial file does not answer", async () => {
    const files = { "one.jsonl": '{"question_id":1,"pred":"A1"}' };
    const { trajectories } = await run(files, [{ name: "one.jsonl", model: { name: "a" }, partial: true }]);
    expect(trajectories.map((row) => row.finalSql)).toEqual(["A1"]);
    await expect(run(files, [{ name: "one.jsonl", model: { name: "a" } }])).rejects.toMatchObject({
      code: "IMPORT_KEY_MISSING",
    });
  });

  it("rejects an answer too long to be checked", async () => {
    const { trajectories, rejects } = await run({ "one.txt": `A0\n${"x".repeat(1_000_001)}` }, [
      { name: "one.txt", model: { name: "a" } },
    ]);
    expect(trajectories).toHaveLength(1);
    expect(rejects).toEqual([
      {
        rowId: "one.txt[1]",
        code: "IMPORT_ANSWER_TOO_LONG",
        message: "the answer has 1000001 characters, at most 1000000 are taken",
      },
    ]);
  });

  it("yields nothing when a later file is wrong", async () => {
    const root = await writeFolder({ "one.txt": "A0\nA1\n", "two.txt": "B0\n" });
    const imports: Imports = ["one.txt", "two.txt"].map((name) => ({ name, model: { name } }));
    const rows: unknown[] = [];
    const stage = {
      ...importPredictionsStage,
      async *run(given: Parameters<typeof importPredictionsStage.run>[0]) {
        for await (const row of importPredictionsStage.run(given)) {
          rows.push(row);
          yield row;
        }
      },
    };
    await expect(
      runStage(
        stage,
        { examples: EXAMPLES, databases: [FERRIES] },
        { imports },
        { plugs, runtime: { files: imports.map(({ name }) => path.join(root, name)) } },
      ),
    ).rejects.toMatchObject({
      code: "IMPORT_COUNT_MISMATCH",
      message: "cannot import two.txt: it has 1 predictions, expected 2, one for each example",
    });
    expect(rows).toEqual([]);
  });

  it("takes a named format, and refuses what it does not know", async () => {
    const file = { "one.out": "A0\nA1\n" };
    const model = { name: "a" };
    const { trajectories } = await run(file, [{ name: "one.out", model, format: "lines" }]);
    expect(trajectories).toHaveLength(2);
    await expect(run(file, [{ name: "one.out", model }])).rejects.toMatchObject({
      code: "IMPORT_FORMAT_UNKNOWN",
    });
    await expect(run(file, [{ name: "one.out", model, format: "line" }])).rejects.toMatchObject({
      code: "PLUG_UNKNOWN",
    });
  });

  it("keys on its files and formats", async () => {
    const options = importPredictionsStage.options.parse({
      imports: [
        { name: "one.txt", model: { name: "a" }, format: "lines" },
        { name: "two.csv", model: { name: "a" }, format: "csv" },
      ],
    });
    const runtime = { files: ["/x/one.txt", "/y/two.csv"] };
    const found = await importPredictionsStage.plugs(options, plugs);
    expect(found.map(({ id }) => id)).toEqual(["csv", "lines"]);
    const inputs = { examples: rowsOf([]), databases: rowsOf([]) };
    expect(await importPredictionsStage.sources(options, runtime, plugs, inputs)).toEqual([
      { name: "one.txt", path: "/x/one.txt" },
      { name: "two.csv", path: "/y/two.csv" },
    ]);
    expect(() => importPredictionsStage.sources(options, { files: [] }, plugs, inputs)).toThrow(
      "got 0 files for 2 imports",
    );
  });
});

interface PublishedQuestion {
  readonly question_id?: number;
  readonly db_id: string;
  readonly question: string;
}

describeWithShared("published predictions", (folder) => {
  async function examplesOf(file: string): Promise<Example[]> {
    const questions = JSON.parse(
      await readFile(path.join(folder, "data", file), "utf8"),
    ) as PublishedQuestion[];
    return questions.map(({ question_id: id, db_id: databaseId, question }, place) =>
      example(String(id ?? place), { id: String(place).padStart(32, "0"), databaseId, question }),
    );
  }

  async function importAll(dataset: string, predictions: readonly string[]) {
    const imports = predictions.map((file) => ({ name: path.basename(file), model: { name: file } }));
    const examples = await examplesOf(dataset);
    const files = predictions.map((file) => path.join(folder, "data/predictions", file));
    return runStage(
      importPredictionsStage,
      { examples, databases: [] },
      { imports },
      { plugs, runtime: { files } },
    );
  }

  it("of ten systems join to Spider dev as ten samples a question", async () => {
    const { trajectories, rejects } = await importAll(
      "spider/dev.json",
      [
        "CodeX__DIN-SQL.csv",
        "GPT4_results__DIN-SQL.csv",
        "GPT4_results__GPT4_zero_shot.csv",
        "codes-1b.txt",
        "codes-7b.txt",
        "dail-sql__DAIL-SQL+GPT-4.txt",
        "dail-sql__graphix_result.txt",
        "dts-sql-mistral.txt",
        "shantanu319_finetuned.txt",
        "ta-sql.sql",
      ].map((name) => `spider_dev/${name}`),
    );
    expect(rejects).toEqual([]);
    expect(trajectories).toHaveLength(10_340);
    expect(trajectories[9]).toMatchObject({
      exampleId: "0".repeat(32),
      finalSql: "SELECT COUNT(*) FROM singer",
      model: { name: "spider_dev/ta-sql.sql" },
    });
  });

  it("join to BIRD dev and to the mini dev set by place", async () => {
    const dev = await importAll("bird/dev/dev.json", [
      "bird_dev/bird-climb-rl_7b.json",
      "bird_dev/csc-sql-7b.sql",
      "bird_dev/rsl-sql-gpt-4o.txt",
    ]);
    expect(dev.trajectories).toHaveLength(4602);
    const mini = await importAll("bird/mini_dev/mini_dev_sqlite.json", [
      "bird_mini_dev/sql_output_kg__predict_mini_dev_gpt-4_sqlite.json",
    ]);
    expect(mini.trajectories).toHaveLength(500);
    expect(mini.trajectories[1]?.finalSql).toMatch(
      /^SELECT CustomerID, MIN\(Consumption\) AS LeastConsumption\n/,
    );
  });
});
