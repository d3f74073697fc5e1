import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { InvalidText } from "../../../core/execution.ts";
import type { Cell, ResultTable } from "../../../core/execution.ts";
import { SqlEngine } from "../../../io/sql-engine.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface Gold {
  readonly path: string;
  readonly sql: string;
}

interface PythonRows {
  readonly exact?: string;
  readonly rounded?: string;
  readonly error?: string;
}

const LIMITS = { cpuMs: 60_000, maxRows: 1_000_000, maxBytes: 1_000_000_000 };
const SCRIPT = path.join(import.meta.dirname, "python_rows.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

function exactNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString("hex");
}

/** SQLite 3.43 began to compensate the errors of sum() and avg(), so versions differ in a sum's last digits. */
function roundedNumber(value: number): string {
  if (!Number.isFinite(value)) return exactNumber(value);
  const [mantissa, exponent] = value.toExponential(9).split("e");
  return `${Object.is(value, -0) ? "-" : ""}${mantissa}e${Number(exponent)}`;
}

function encodeCell(cell: Cell, encodeNumber: (value: number) => string): string {
  if (cell === null) return "N";
  if (typeof cell === "bigint") return `I${cell}`;
  if (typeof cell === "number") return `F${encodeNumber(cell)}`;
  if (typeof cell === "string") return `T${Buffer.from(cell, "utf8").toString("hex")}`;
  if (cell instanceof InvalidText) return `T${Buffer.from(cell.bytes).toString("hex")}`;
  return `B${Buffer.from(cell).toString("hex")}`;
}

function digestOf(table: ResultTable, encodeNumber: (value: number) => string): string {
  const lines = table.rows.map((row) => row.map((cell) => encodeCell(cell, encodeNumber)).join("|"));
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

async function runPython(golds: readonly Gold[]): Promise<PythonRows[]> {
  const child = spawn("python3", [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(golds.map((gold) => `${JSON.stringify(gold)}\n`).join(""));
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += String(chunk);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PythonRows);
}

/** The first `total` golds of a file (those of train_others.json follow in train_gold.sql) that have a database. */
async function readGolds(
  shared: string,
  file: string,
  total: number,
): Promise<{ golds: Gold[]; lines: number }> {
  const text = await readFile(path.join(shared, "data/spider", file), "utf8");
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, total);
  const golds = lines.map((line): Gold => {
    const [sql = "", databaseId = ""] = line.split("\t");
    const name = databaseId.trim();
    return { sql, path: path.join(shared, "data/spider/database", name, `${name}.sqlite`) };
  });
  return { golds: golds.filter((gold) => existsSync(gold.path)), lines: lines.length };
}

function runEngine(golds: readonly Gold[]): ResultTable[] {
  const byPath = new Map<string, Gold[]>();
  for (const gold of golds) byPath.set(gold.path, [...(byPath.get(gold.path) ?? []), gold]);
  const tables = new Map<Gold, ResultTable>();
  for (const [file, group] of byPath) {
    const engine = SqlEngine.open(file, { mode: "query" });
    for (const gold of group) tables.set(gold, engine.run(gold.sql, LIMITS));
    engine.close();
  }
  return golds.map((gold) => tables.get(gold) as ResultTable);
}

describeWithShared("Spider's golds against Python's sqlite3", (shared) => {
  const check = process.env["CI"] === "true" || hasPython ? it : it.skip;

  check.each([
    { file: "train_gold.sql", total: 7000, run: 6901, broken: 3 },
    { file: "dev_gold.sql", total: 1034, run: 972, broken: 0 },
  ])("gives the same rows on $file", async ({ file, total, run, broken }) => {
    const { golds, lines } = await readGolds(shared, file, total);
    expect(lines).toBe(total);
    const python = await runPython(golds);
    const tables = runEngine(golds);

    const counts = { run: 0, failed: 0, roundedOnly: 0 };
    const differences: unknown[] = [];
    golds.forEach((gold, index) => {
      const table = tables[index] as ResultTable;
      const expected = python[index] as PythonRows;
      const ran = table.execution.status === "ok" || table.execution.status === "empty";
      if (ran !== (expected.error === undefined)) {
        differences.push({ gold, python: expected.error ?? "ran", engine: table.execution });
      } else if (!ran) {
        counts.failed += 1;
      } else {
        counts.run += 1;
        if (digestOf(table, roundedNumber) !== expected.rounded) differences.push({ gold });
        else if (digestOf(table, exactNumber) !== expected.exact) counts.roundedOnly += 1;
      }
    });
    console.info(`${file}: ${JSON.stringify(counts)}, ${differences.length} differences of ${golds.length}`);
    expect(differences).toEqual([]);
    expect(counts.run).toBe(run);
    expect(counts.failed).toBe(broken);
  });
});
