import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, runGradus } from "./gradus-process.ts";
import { countBy, digestsBelow, falselyWhole, filesBelow, portRows } from "./raw-run.ts";
import { shopWorkspace } from "./shop-workspace.ts";
import { shopConfig, shopQuestions } from "./spider-fixture.ts";

const NOBODY = 65_534;

async function run(folder: string, more: readonly string[] = []): Promise<Finished> {
  return runGradus(["run", "run.yaml", "--quiet", ...more], { cwd: folder });
}

/** Expects one message with this code, exit status 1, no stack, and nothing that looks finished and is not. */
function expectFailure(finished: Finished, folder: string, code: string): string {
  expect(finished.stderr).toMatch(new RegExp(`^${code}: `));
  expect(finished.stderr.match(/^[A-Z]+(_[A-Z]+)+: /gm)).toHaveLength(1);
  expect(finished.stderr).not.toMatch(/^\s+at /m);
  expect(finished.stdout).toBe("");
  expect(finished.status).toBe(1);
  expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
  expect(existsSync(path.join(folder, "runs/shops/shards"))).toBe(false);
  return finished.stderr;
}

describe("a config", () => {
  it("that is not there is named", async () => {
    const folder = await temporaryFolder();
    const finished = await runGradus(["run", "nowhere.yaml"], { cwd: folder });
    expect(expectFailure(finished, folder, "FILE_MISSING")).toContain("nowhere.yaml");
    expect(filesBelow(folder)).toEqual([]);
  });

  it("with an unknown key names the key and its near miss", async () => {
    const folder = await shopWorkspace({ currriculum: { id: "easy-to-hard" } });
    const said = expectFailure(await run(folder), folder, "CONFIG_INVALID");
    expect(said).toContain('unknown key "currriculum" (did you mean "curriculum"?)');
    expect(existsSync(path.join(folder, "runs"))).toBe(false);
  });

  it("with a wrong value names its place", async () => {
    const folder = await shopWorkspace({ validation: { fraction: 7 } });
    expect(expectFailure(await run(folder), folder, "CONFIG_INVALID")).toContain("validation.fraction");
  });

  it("that is not YAML is refused with the place", async () => {
    const folder = await temporaryFolder({ "run.yaml": 'gradus: 1\nname: "shops\ndatasets: [\n' });
    expect(expectFailure(await run(folder), folder, "CONFIG_MALFORMED")).toMatch(/line \d+/);
  });

  it.each([
    [
      "loader",
      { datasets: [{ loader: "spyder", root: "./shops", split: "train" }] },
      'did you mean "spider"?',
    ],
    [
      "metric",
      { judge: { metrics: ["bird-exx"] }, filter: { metric: "bird-exx" } },
      'did you mean "bird-ex"?',
    ],
    ["exporter", { export: { exporters: ["verl-rll"] } }, 'did you mean "verl-rl"?'],
    ["curriculum", { curriculum: { id: "easy-to-hart" } }, 'did you mean "easy-to-hard"?'],
    ["schema-dialect", { prompt: { dialect: "omnisql-dll" } }, 'did you mean "omnisql-ddl"?'],
  ])("with an unknown %s names the near miss", async (kind, changes, hint) => {
    const folder = await shopWorkspace(changes);
    const said = expectFailure(await run(folder), folder, "PLUG_UNKNOWN");
    expect(said).toContain(`there is no ${kind} "`);
    expect(said).toContain(hint);
  });

  it("that needs a data root says so when there is none", async () => {
    const folder = await shopWorkspace({ datasets: [{ loader: "spider", root: "nowhere", split: "train" }] });
    expect(expectFailure(await run(folder), folder, "PATH_DATA_ROOT_MISSING")).toContain("GRADUS_DATA");
  });
});

describe("a dataset", () => {
  it("whose folder is not there is named", async () => {
    const folder = await shopWorkspace({
      datasets: [{ loader: "spider", root: "./elsewhere", split: "train" }],
    });
    const said = expectFailure(await run(folder), folder, "DATASET_FILE_MISSING");
    expect(said).toContain(path.join(folder, "elsewhere"));
    expect(said).toContain("train_spider.json");
  });

  it("whose split does not exist names the splits", async () => {
    const folder = await shopWorkspace({ datasets: [{ loader: "spider", root: "./shops", split: "trian" }] });
    expect(expectFailure(await run(folder), folder, "DATASET_SPLIT_UNKNOWN")).toContain('"train"');
  });

  it("whose questions file is cut off is refused", async () => {
    const folder = await shopWorkspace();
    const file = path.join(folder, "shops/train_spider.json");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 700));
    const said = expectFailure(await run(folder), folder, "DATASET_FILE_MALFORMED");
    expect(said).toContain("train_spider.json");
    expect(filesBelow(path.join(folder, "runs/shops/artifacts"))).toEqual([]);
  });

  it("with a row that is none is refused with the row, or counted where that is allowed", async () => {
    const folder = await shopWorkspace();
    const file = path.join(folder, "shops/train_spider.json");
    const rows = JSON.parse(readFileSync(file, "utf8")) as { query?: string }[];
    delete rows[4]?.query;
    writeFileSync(file, JSON.stringify(rows));
    const said = expectFailure(await run(folder), folder, "STAGE_TOO_MANY_REJECTS");
    expect(said).toContain("train_spider.json[4]");
    const datasets = [{ loader: "spider", root: "./shops", split: "train", maxRejectRate: 0.1 }];
    const imports = { model: { name: "student", revision: "1" }, files: ["./shops/answers.txt"] };
    const answers = readFileSync(path.join(folder, "shops/answers.txt"), "utf8").split("\n");
    writeFileSync(path.join(folder, "shops/answers.txt"), answers.toSpliced(4, 1).join("\n"));
    writeFileSync(path.join(folder, "run.yaml"), shopConfig({ datasets, answers: { import: [imports] } }));
    const second = await run(folder);
    expect(second.status, second.stderr).toBe(0);
    expect(second.stdout).toMatch(/questions +12\n +unreadable +1\n/);
  });

  it("with a database that is a text file goes on without its questions", async () => {
    const folder = await shopWorkspace();
    const file = path.join(folder, "shops/database/south/south.sqlite");
    writeFileSync(file, "<html>404: not found</html>\n".repeat(50));
    const finished = await run(folder);
    expect(finished.status, finished.stderr).toBe(0);
    const runFolder = path.join(folder, "runs/shops");
    expect(countBy(portRows(runFolder, "filter", "dropped"), "reason")).toEqual({ database_unreadable: 6 });
    expect(portRows(runFolder, "filter", "kept")).toHaveLength(6);
    expect(readFileSync(file, "utf8")).toContain("404");
    expect(finished.stdout).toMatch(/database unreadable +6\n/);
    expect(falselyWhole(runFolder)).toEqual([]);
  });

  it("with a database that is cut off goes on without its questions", async () => {
    const folder = await shopWorkspace();
    const file = path.join(folder, "shops/database/south/south.sqlite");
    writeFileSync(file, readFileSync(file).subarray(0, 4500));
    const finished = await run(folder);
    expect(finished.status, finished.stderr).toBe(0);
    const dropped = portRows(path.join(folder, "runs/shops"), "filter", "dropped");
    expect(dropped).toHaveLength(6);
    expect(new Set(dropped.map((row) => row["databaseId"]))).toEqual(new Set(["south"]));
  });
});

describe("a file of answers", () => {
  it("that lacks a line is refused", async () => {
    const folder = await shopWorkspace();
    const file = path.join(folder, "shops/answers.txt");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.toSpliced(3, 1).join("\n"));
    const said = expectFailure(await run(folder), folder, "IMPORT_COUNT_MISMATCH");
    expect(said).toContain("answers.txt");
    expect(said).toMatch(/\b11\b.*\b12\b/);
  });

  it("with a key too many is refused with the key", async () => {
    const folder = await shopWorkspace({
      answers: { import: [{ model: { name: "student" }, files: ["./shops/answers.json"] }] },
    });
    const answers = Object.fromEntries(shopQuestions(12).map(({ answer }, index) => [index, answer]));
    writeFileSync(path.join(folder, "shops/answers.json"), JSON.stringify({ ...answers, 99: "SELECT 1" }));
    expect(expectFailure(await run(folder), folder, "IMPORT_KEY_EXTRA")).toContain('"99"');
  });

  it("with a key too few is refused with the key", async () => {
    const folder = await shopWorkspace({
      answers: { import: [{ model: { name: "student" }, files: ["./shops/answers.json"] }] },
    });
    const answers = Object.fromEntries(shopQuestions(12).map(({ answer }, index) => [index, answer]));
    delete answers["7"];
    writeFileSync(path.join(folder, "shops/answers.json"), JSON.stringify(answers));
    expect(expectFailure(await run(folder), folder, "IMPORT_KEY_MISSING")).toMatch(/\b7\b/);
  });

  it("that is not there is named", async () => {
    const folder = await shopWorkspace({
      answers: { import: [{ model: { name: "student" }, files: ["./shops/none.txt"] }] },
    });
    expect(expectFailure(await run(folder), folder, "FILE_MISSING")).toContain("none.txt");
  });
});

describe("a folder of runs", () => {
  it("that cannot be written to is named", async () => {
    const folder = await shopWorkspace();
    const closed = path.join(folder, "closed");
    mkdirSync(closed);
    for (const [name, mode] of [
      [folder, 0o755],
      [closed, 0o555],
    ] as const)
      chmodSync(name, mode);
    const asRoot = process.getuid?.() === 0;
    const args = ["run", "run.yaml", "--quiet", "--runs", closed];
    const finished = await runGradus(args, { cwd: folder, ...(asRoot ? { uid: NOBODY } : {}) });
    expect(expectFailure(finished, folder, "FILE_FORBIDDEN")).toContain(path.join(closed, "shops"));
    expect(filesBelow(closed)).toEqual([]);
  });

  it("that is a file is named", async () => {
    const folder = await shopWorkspace();
    const finished = await run(folder, ["--runs", "run.yaml"]);
    expect(finished.stderr).toMatch(/^FILE_[A-Z]+: .*run\.yaml/);
    expect(finished.status).toBe(1);
  });
});

describe("an artifact", () => {
  it("that was damaged is refused with the folder to remove, and made anew once it is gone", async () => {
    const folder = await shopWorkspace();
    expect((await run(folder)).status).toBe(0);
    const runFolder = path.join(folder, "runs/shops");
    const before = digestsBelow(path.join(runFolder, "shards"));
    const [step = ""] = readdirSync(path.join(runFolder, "artifacts/score"));
    const artifact = path.join("runs/shops/artifacts/score", step);
    writeFileSync(path.join(folder, artifact, "manifest.json"), "{");
    const refused = await run(folder);
    expect(refused.stderr).toMatch(/^ARTIFACT_DAMAGED: /);
    expect(refused.stderr).toContain(`remove the folder ${artifact}`);
    expect(refused.status).toBe(1);
    rmSync(path.join(folder, artifact), { recursive: true });
    const again = await run(folder);
    expect(again.stdout).toMatch(/\n1 steps run, \d+ reused\n/);
    expect(digestsBelow(path.join(runFolder, "shards"))).toEqual(before);
  });

  it("whose rows were cut off is refused by the step that reads them", async () => {
    const folder = await shopWorkspace();
    expect((await run(folder, ["--until", "filter"])).status).toBe(0);
    const [step = ""] = readdirSync(path.join(folder, "runs/shops/artifacts/filter"));
    const file = path.join(folder, "runs/shops/artifacts/filter", step, "kept.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -40));
    const finished = await run(folder);
    expect(finished.stderr).toMatch(/^ARTIFACT_DAMAGED: .*kept\.jsonl/);
    expect(finished.status).toBe(1);
    expect(existsSync(path.join(folder, "runs/shops/shards"))).toBe(false);
  });
});

describe("usage", () => {
  it.each([
    [[], "Usage: gradus"],
    [["rum"], "run"],
    [["run"], "config"],
    [["run", "run.yaml", "--wrokers", "2"], "--workers"],
    [["run", "run.yaml", "--workers", "none"], "--workers"],
  ])("that is wrong exits with 2: %j", async (args, said) => {
    const folder = await shopWorkspace();
    const finished = await runGradus(args, { cwd: folder });
    expect(finished.stderr).toContain(said);
    expect(finished.status).toBe(2);
    expect(existsSync(path.join(folder, "runs"))).toBe(false);
  });

  it("that names an unknown step or run exits with 1", async () => {
    const folder = await shopWorkspace();
    expect((await run(folder, ["--until", "scores"])).stderr).toMatch(/^STEP_UNKNOWN: .*score/);
    const status = await runGradus(["status", "nothing"], { cwd: folder });
    expect(status.stderr).toMatch(/^RUN_UNKNOWN: /);
    expect(status.status).toBe(1);
  });
});
