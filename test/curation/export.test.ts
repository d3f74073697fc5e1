import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExportRow, defineExporter } from "../../core/shard.ts";
import { describeParquet, readParquet } from "../../io/parquet.ts";
import openrlhf from "../../curation/exporters/openrlhf.ts";
import verlRl from "../../curation/exporters/verl-rl.ts";
import { runExport } from "../interop/export-runner.ts";
import { exportRow, factsOf, message, openForm, trajectory, variedRows } from "../interop/fixture-rows.ts";

const OPTIONS = { exporter: "verl-rl", datasetName: "Toy", license: "cc0-1.0", recipe: { steps: 1 } };
const verl = await openForm(verlRl, {}, factsOf(variedRows("rl", 5, 2)));
const SFT = { ...OPTIONS, exporter: "messages-sft" };

let root = "";
let folder = "";
let runs = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "gradus-export-"));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});
beforeEach(async () => {
  runs += 1;
  folder = path.join(root, String(runs));
  await mkdir(folder);
});

async function readAll(file: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const row of readParquet(path.join(folder, file))) rows.push(row);
  return rows;
}

function answered(mark: string, changes: Partial<ExportRow> = {}): ExportRow {
  return exportRow(mark, { trajectory: trajectory(mark, [message("assistant", "SELECT 1")]), ...changes });
}

describe("exportStage", () => {
  it("cuts splits into files and lists them", async () => {
    const outcome = await runExport(variedRows("rl", 5, 2), { ...OPTIONS, rowsPerFile: 2 }, folder);
    expect(outcome.files.map(({ split, path: name, rows }) => [split, name, rows])).toEqual([
      ["train", "train-00000-of-00003.parquet", 2],
      ["train", "train-00001-of-00003.parquet", 2],
      ["train", "train-00002-of-00003.parquet", 1],
      ["validation", "validation-00000-of-00001.parquet", 2],
    ]);
    expect(outcome.rejects).toEqual([]);
    expect(await readdir(folder)).toEqual([
      "README.md",
      "checksums.sha256",
      "launch",
      "recipe.lock.yaml",
      "train-00000-of-00003.parquet",
      "train-00001-of-00003.parquet",
      "train-00002-of-00003.parquet",
      "validation-00000-of-00001.parquet",
    ]);
    for (const file of outcome.files) {
      const bytes = await readFile(path.join(folder, file.path));
      expect(file).toMatchObject({
        exporter: "verl-rl",
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      });
      expect(await describeParquet(path.join(folder, file.path))).toEqual(verl.columns);
    }
  });

  it("keeps the order of rows and writes what the exporter says", async () => {
    const rows = variedRows("rl", 5, 2);
    await runExport(rows, { ...OPTIONS, rowsPerFile: 3 }, folder);
    const train = [
      ...(await readAll("train-00000-of-00002.parquet")),
      ...(await readAll("train-00001-of-00002.parquet")),
    ];
    expect(train).toEqual(rows.slice(0, 5).map((row) => verl.rows(row)[0]));
    expect(await readAll("validation-00000-of-00001.parquet")).toEqual(
      rows.slice(5).map((row) => verl.rows(row)[0]),
    );
  });

  it("writes JSON Lines with keys in order", async () => {
    const outcome = await runExport([answered("1")], SFT, folder);
    const text =
      '{"messages":[{"role":"system","content":"Answer with SQL."},' +
      '{"role":"user","content":"How many ferries are there?"},' +
      '{"role":"assistant","content":"SELECT 1","weight":1}],"tools":"[]",' +
      '"id":"e1000000000000000000000000000000","example_id":"a1000000000000000000000000000000",' +
      '"db_id":"island_ferries","dataset":"spider","split":"train","level":-1,"hardness":"","source":"sampled","task":"sql",' +
      '"simulated":false,"pass_n":8,"pass_c":3}\n';
    expect(await readFile(path.join(folder, "train-00000-of-00001.jsonl"), "utf8")).toBe(text);
    expect(outcome.warnings).toEqual([]);
  });

  it("lists checksums of all files as sha256sum does", async () => {
    const { files } = await runExport([answered("1")], SFT, folder);
    const card = await readFile(path.join(folder, "README.md"));
    const lock = await readFile(path.join(folder, "recipe.lock.yaml"));
    expect(await readFile(path.join(folder, "checksums.sha256"), "utf8")).toBe(
      `${files[0]?.sha256}  train-00000-of-00001.jsonl\n` +
        `${createHash("sha256").update(card).digest("hex")}  README.md\n` +
        `${createHash("sha256").update(lock).digest("hex")}  recipe.lock.yaml\n`,
    );
  });

  it("gives the same bytes in another folder", async () => {
    const first = await runExport(variedRows("rl", 6, 1), OPTIONS, folder);
    const other = path.join(folder, "other");
    await mkdir(other);
    const second = await runExport(variedRows("rl", 6, 1), OPTIONS, other);
    expect(second).toEqual(first);
    expect(await readFile(path.join(other, "README.md"), "utf8")).toBe(
      await readFile(path.join(folder, "README.md"), "utf8"),
    );
  });

  it("rejects rows that cannot be written and closes the gap", async () => {
    const plain = exportRow("2");
    const rows = [
      exportRow("1", { index: 0 }),
      exportRow("2", { index: 1, example: { ...plain.example, gold: [] } }),
      exportRow("3", {
        index: 2,
        example: { ...plain.example, id: `a3${"0".repeat(30)}`, question: "\uD800" },
      }),
      exportRow("4", { index: 3 }),
    ];
    const { rejects, files } = await runExport(rows, OPTIONS, folder);
    expect(rejects).toEqual([
      {
        rowId: "a2000000000000000000000000000000",
        code: "EXPORT_ROW_UNSUPPORTED",
        message:
          "cannot write a2000000000000000000000000000000 for verl-rl: it has no gold, expected at least one",
      },
      {
        rowId: "a3000000000000000000000000000000",
        code: "EXPORT_ROW_UNSUPPORTED",
        message: "cannot write the row: extra_info.question holds a lone surrogate, expected valid Unicode",
      },
    ]);
    expect(files.map((file) => file.rows)).toEqual([2]);
    const written = (await readAll("train-00000-of-00001.parquet")) as {
      extra_info: Record<string, unknown>;
    }[];
    expect(written.map((row) => [row.extra_info["index"], row.extra_info["example_id"]])).toEqual([
      [0, "a1000000000000000000000000000000"],
      [1, "a4000000000000000000000000000000"],
    ]);
    expect(await readFile(path.join(folder, "README.md"), "utf8")).toContain("| train | 2 | 0 | 2 | 1 |");
  });

  it("names the trajectory of a rejected row of messages", async () => {
    const rows = [
      answered("1"),
      answered("2", { trajectory: trajectory("2", [message("assistant", "\uDFFF")]) }),
    ];
    const { rejects } = await runExport(rows, SFT, folder);
    expect(rejects).toEqual([
      {
        rowId: "e2000000000000000000000000000000",
        code: "EXPORT_ROW_UNSUPPORTED",
        message: "cannot write the row: messages[2].content holds a lone surrogate, expected valid Unicode",
      },
    ]);
  });

  it("warns once, and in the card, of simulated rows", async () => {
    const rows = [
      answered("1"),
      answered("2", { simulated: true }),
      answered("3", { split: "validation", simulated: true }),
    ];
    const { warnings } = await runExport(rows, SFT, folder);
    expect(warnings).toEqual([
      "messages-sft: 2 of 3 rows (66.7 %) were shaped by a simulated model: not for training a real one",
    ]);
    const card = await readFile(path.join(folder, "README.md"), "utf8");
    expect(card).toContain("\n**Warning: 2 of 3 rows (66.7 %) were shaped by a simulated model");
    expect(card).toContain("| validation | 1 | 1 | 0 | 1 |");
  });

  it("says in the card that validation is empty", async () => {
    await runExport([answered("1")], SFT, folder);
    const card = await readFile(path.join(folder, "README.md"), "utf8");
    expect(card).toContain("| validation | 0 | 0 | 0 | no file: the split is empty |");
    expect(card).not.toContain("split: validation");
  });

  it("refuses to write a set without train rows", async () => {
    await expect(runExport([], OPTIONS, folder)).rejects.toMatchObject({
      code: "EXPORT_NOTHING",
      message: "cannot write a verl-rl set: no train row came in, expected at least one",
    });
    folder = path.join(folder, "second");
    await mkdir(folder);
    await expect(runExport([exportRow("1", { split: "validation" })], OPTIONS, folder)).rejects.toMatchObject(
      {
        code: "EXPORT_NOTHING",
      },
    );
    folder = path.join(folder, "third");
    await mkdir(folder);
    await expect(runExport([exportRow("1"), exportRow("2")], SFT, folder)).rejects.toMatchObject({
      code: "EXPORT_NOTHING",
      message: "cannot write a messages-sft set: all 2 train rows were refused, expected at least one",
      hint:
        "the first was refused because: cannot write a1000000000000000000000000000000 for messages-sft: it has no " +
        "trajectory, expected one to imitate",
    });
  });

  it("refuses train rows after validation rows", async () => {
    const rows = [exportRow("1", { split: "validation" }), exportRow("2")];
    await expect(runExport(rows, OPTIONS, folder)).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
  });

  it("passes on what an exporter throws that is no refusal", async () => {
    const broken = defineExporter({
      ...openrlhf,
      id: "broken",
      row: () => {
        throw new TypeError("a bug");
      },
    });
    await expect(
      runExport([exportRow("1")], { ...OPTIONS, exporter: "broken" }, folder, [broken]),
    ).rejects.toThrow("a bug");
  });

  it("writes rows that fill several row groups", async () => {
    const wide = {
      *[Symbol.iterator]() {
        for (let made = 0; made < 3000; made += 1) {
          yield exportRow("1", { prompt: [message("user", `${made} ${"x".repeat(20_000)}`)] });
        }
      },
    };
    const { files } = await runExport(wide, { ...OPTIONS, rowsPerFile: 1000 }, folder);
    expect(files.map((file) => file.rows)).toEqual([1000, 1000, 1000]);
  });

  it("refuses a folder that holds something", async () => {
    await writeFile(path.join(folder, "notes.txt"), "");
    await expect(runExport([answered("1")], SFT, folder)).rejects.toMatchObject({
      code: "EXPORT_FOLDER_NOT_EMPTY",
      message: `cannot write shards into ${folder}: it holds notes.txt, expected nothing`,
    });
  });

  it("refuses options that the exporter does not have", async () => {
    await expect(
      runExport([answered("1")], { ...SFT, options: { form: "trl" } }, folder),
    ).rejects.toMatchObject({
      code: "EXPORT_OPTIONS_INVALID",
    });
  });

  it("gives each level of the curriculum files of its own, in order", async () => {
    const level = (mark: string, at: number, changes = {}) => exportRow(mark, { level: at, ...changes });
    const rows = [
      level("1", 0),
      level("2", 0),
      level("3", 1),
      level("4", 2),
      level("5", 1, { split: "validation" }),
    ];
    const { files } = await runExport(rows, { ...OPTIONS, staged: true }, folder);
    expect(files.map((file) => [file.path, file.rows])).toEqual([
      ["train-stage00-00000-of-00001.parquet", 2],
      ["train-stage01-00000-of-00001.parquet", 1],
      ["train-stage02-00000-of-00001.parquet", 1],
      ["validation-stage00-00000-of-00001.parquet", 1],
    ]);
  });

  it("says how many source rows a file of more rows was made from, and gives splits their own folders", async () => {
    const two = trajectory("1", [
      message("assistant", "a"),
      message("user", "b", { origin: "environment" }),
      message("assistant", "c"),
    ]);
    const options = { ...OPTIONS, exporter: "llama-factory", options: { turns: "each" } };
    const { files } = await runExport([exportRow("1", { trajectory: two })], options, folder);
    expect(files).toMatchObject([{ path: "train/train-00000-of-00001.jsonl", rows: 2, sourceRows: 1 }]);
    expect(JSON.parse(await readFile(path.join(folder, "dataset_info.json"), "utf8"))).toHaveProperty(
      "toy.file_name",
      "train",
    );
    expect(await readFile(path.join(folder, "launch/llama-factory-sft-mtsql-r1.yaml"), "utf8")).toContain(
      "\ncutoff_len: 256\nmask_history: true\n",
    );
  });

  it("locks the recipe: exporter, options, what is lost, and files by digest", async () => {
    const { files } = await runExport([answered("1")], { ...SFT, options: { for: "skyrl" } }, folder);
    expect(parse(await readFile(path.join(folder, "recipe.lock.yaml"), "utf8"))).toMatchObject({
      gradus: 1,
      name: "Toy",
      exporter: { id: "messages-sft", options: { for: "skyrl" } },
      license: "cc0-1.0",
      rows: { train: { rows: 1, simulated: 0, refused: 0 } },
      files: [{ path: "train-00000-of-00001.jsonl", rows: 1, sha256: files[0]?.sha256 }],
      recipe: { steps: 1 },
    });
  });

  it("keeps NUL, and text as long as 10 MB, in both formats", async () => {
    const long = `\u0000${"é".repeat(5_000_000)}`;
    const question = (text: string) => ({ prompt: [message("user", text)] });
    await runExport([exportRow("1", question(long))], OPTIONS, folder);
    const [row] = (await readAll("train-00000-of-00001.parquet")) as { prompt: { content: string }[] }[];
    expect(row?.prompt[0]?.content === long).toBe(true);
    const other = path.join(folder, "jsonl");
    await mkdir(other);
    await runExport([answered("1", question(long))], SFT, other);
    const text = await readFile(path.join(other, "train-00000-of-00001.jsonl"), "utf8");
    expect((JSON.parse(text) as { messages: { content: string }[] }).messages[0]?.content === long).toBe(
      true,
    );
  });
});
