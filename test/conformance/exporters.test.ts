import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { canonicalJson, deepFreeze } from "../../core/key.ts";
import type { Exporter, ExportRow } from "../../core/shard.ts";
import { shardRowProblem } from "../../io/shard-row.ts";
import { writeByteTokenizer } from "../interop/byte-tokenizer.ts";
import { factsOf, openForm, variedRows } from "../interop/fixture-rows.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../curation/exporters");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));

const FOLDER_OF_TOKENIZER = mkdtempSync(path.join(tmpdir(), "gradus-exporters-"));
afterAll(() => {
  rmSync(FOLDER_OF_TOKENIZER, { recursive: true });
});
/** Options of exporters that cannot do without. */
const OPTIONS: Readonly<Record<string, unknown>> = { pretokenized: writeByteTokenizer(FOLDER_OF_TOKENIZER) };

const exporters = await Promise.all(
  FILES.map(async (name) => {
    const module = (await import(path.join(FOLDER, name))) as { default: Exporter };
    return { stem: name.slice(0, -".ts".length), exporter: module.default };
  }),
);

it("finds exporters", () => {
  expect(FILES.length).toBeGreaterThan(0);
});

/** Rows that an exporter takes: verl's SFT and OpenRLHF have no place for tools beside messages. */
function rowsFor({ id, set }: Exporter): ExportRow[] {
  const rows = variedRows(set, 40, 10).map((row) => deepFreeze(row));
  return id === "verl-sft" ? rows.filter(({ tools }) => tools.length === 0) : rows;
}

describe.each(exporters)("exporter $stem", async ({ stem, exporter }) => {
  const rows = rowsFor(exporter);
  const form = await openForm(exporter, OPTIONS[stem] ?? {}, factsOf(rows));
  const all = rows.map((row) => ({ row, cells: form.rows(row) }));
  const cells = all.flatMap((one) => one.cells);

  it("is named by its file and says what it is", () => {
    expect(exporter.kind).toBe("exporter");
    expect(exporter.id).toBe(stem);
    expect(exporter.version).toBeGreaterThan(0);
    expect(form.usage.length).toBeGreaterThan(0);
    expect(form.lossy.length).toBeGreaterThan(0);
    expect(new Set(form.columns.map((column) => column.name)).size).toBe(form.columns.length);
  });

  it("refuses options that it does not know", () => {
    const given = { ...(OPTIONS[stem] as object), no_such_option: 1 };
    expect(exporter.options.safeParse(given).success).toBe(false);
  });

  it("gives a row or more for each, with the same columns in the same order", () => {
    for (const one of all) expect(one.cells.length).toBeGreaterThan(0);
    for (const one of cells) expect(Object.keys(one)).toEqual(form.columns.map((column) => column.name));
  });

  it("gives rows that their columns can hold", () => {
    const shape = exporter.format === "parquet" ? "closed" : "open";
    for (const one of cells) expect(shardRowProblem(one, form.columns, shape)).toBeNull();
  });

  it("gives plain JSON", () => {
    for (const one of cells) expect(JSON.parse(canonicalJson(one))).toEqual(one);
  });

  it("gives equal rows the same bytes, in any order of calls", () => {
    const first = all.map((one) => JSON.stringify(one.cells));
    const again = rows.toReversed().map((row) => JSON.stringify(form.rows(structuredClone(row))));
    expect(again.toReversed()).toEqual(first);
  });

  it("carries whether a row is simulated", () => {
    for (const { row, cells: given } of all) {
      expect(given.every((one) => JSON.stringify(one).includes('"simulated":true'))).toBe(row.simulated);
    }
  });

  it("writes side files as a function of the content", () => {
    const content = {
      datasetName: "fixture",
      files: [{ split: "train" as const, path: "train-00000-of-00001.parquet" }],
      rows: { train: 40, validation: 0 },
      longest: { promptBytes: 1000, rowBytes: 2000, turns: 3 },
      scaffolds: [],
    };
    const files = form.sideFiles?.(content) ?? [];
    expect(form.sideFiles?.(content) ?? []).toEqual(files);
    for (const file of files) expect(file.path).toMatch(/^[a-z0-9._/-]+$/);
  });
});
