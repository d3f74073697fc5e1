import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExportRow, defineExporter } from "../../core/shard.ts";
import { describeParquet, readParquet } from "../../io/parquet.ts";
import verlRl from "../../curation/exporters/verl-rl.ts";
import { runExport } from "../interop/export-runner.ts";
import { exportRow, message, trajectory, variedRows } from "../interop/fixture-rows.ts";

const OPTIONS = { exporter: "verl-rl", datasetName: "Toy", license: "cc0-1.0", recipe: { steps: 1 } };
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
      expect(await describeParquet(path.join(folder, file.path))).toEqual(verlRl.columns);
    }
  });

  it("keeps the order of rows and writes what the exporter says", async () => {
    const rows = variedRows("rl", 5, 2);
    await runExport(rows, { ...OPTIONS, rowsPerFile: 3 }, folder);
    const train = [
      ...(await readAll("train-00000-of-00002.parquet")),
      ...(await readAll("train-00001-of-00002.parquet")),
    ];
    expect(train).toEqual(rows.slice(0, 5).map((row) => verlRl.row(row)));
    expect(await readAll("validation-00000-of-00001.parquet")).toEqual(
      rows.slice(5).map((row) => verlRl.row(row)),
    );
  });

  it("writes JSON Lines with keys in order", async () => {
    const outcome = await runExport([answered("1")], SFT, folder);
    const text =
      '{"messages":[{"role":"system","content":"Answer with SQL."},' +
      '{"role":"user","content":"How many ferries are there?"},' +
      '{"role":"assistant","content":"SELECT 1","weight":1}],' +
      '"id":"e1000000000000000000000000000000","example_id":"a1000000000000000000000000000000",' +
      '"db_id":"island_ferries","dataset":"spider","split":"train","level":-1,"hardness":"","source":"sampled",' +
      '"simulated":false,"pass_n":8,"pass_c":3}\n';
    expect(await readFile(path.join(folder, "train-00000-of-00001.jsonl"), "utf8")).toBe(text);
    expect(outcome.warnings).toEqual([]);
  });

  it("lists checksums of all files as sha256sum does", async () => {
    const { files } = await runExport([answered("1")], SFT, folder);
    const card = await readFile(path.join(folder, "README.md"));
    expect(await readFile(path.join(folder, "checksums.sha256"), "utf8")).toBe(
      `${files[0]?.sha256}  train-00000-of-00001.jsonl\n` +
        `${createHash("sha256").update(card).digest("hex")}  README.md\n`,
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
          "cannot write example a2000000000000000000000000000000: it has no gold, expected at least one",
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
    await expect(runExport([exportRow("1", { split: "validation" })], OPTIONS, folder)).rejects.toMatchObject(
      {
        code: "EXPORT_NOTHING",
      },
    );
    await expect(runExport([exportRow("1"), exportRow("2")], SFT, folder)).rejects.toMatchObject({
      code: "EXPORT_NOTHING",
      message: "cannot write a messages-sft set: all 2 train rows were refused, expected at least one",
      hint:
        "the first was refused because: cannot write a1000000000000000000000000000000 as messages: it has no " +
        "trajectory, expected one to imitate",
    });
  });

  it("refuses train rows after validation rows", async () => {
    const rows = [exportRow("1", { split: "validation" }), exportRow("2")];
    await expect(runExport(rows, OPTIONS, folder)).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
  });

  it("passes on what an exporter throws that is no refusal", async () => {
    const broken = defineExporter({
      ...verlRl,
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
    let made = 0;
    function* wide() {
      for (; made < 3000; made += 1) {
        yield exportRow("1", { prompt: [message("user", `${made} ${"x".repeat(20_000)}`)] });
      }
    }
    const { files } = await runExport(wide(), { ...OPTIONS, rowsPerFile: 1000 }, folder);
    expect(files.map((file) => file.rows)).toEqual([1000, 1000, 1000]);
  });
});
