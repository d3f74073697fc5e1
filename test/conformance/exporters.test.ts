import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson, deepFreeze } from "../../core/key.ts";
import type { Exporter, ExportRow } from "../../core/shard.ts";
import { shardRowProblem } from "../../io/shard-row.ts";
import { variedRows } from "../interop/fixture-rows.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../curation/exporters");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));

const exporters = await Promise.all(
  FILES.map(async (name) => {
    const module = (await import(path.join(FOLDER, name))) as { default: Exporter };
    return { stem: name.slice(0, -".ts".length), exporter: module.default };
  }),
);

it("finds exporters", () => {
  expect(FILES.length).toBeGreaterThan(0);
});

describe.each(exporters)("exporter $stem", ({ stem, exporter }) => {
  const rows: ExportRow[] = variedRows(exporter.set, 40, 10).map((row) => deepFreeze(row));

  it("is named by its file and says what it is", () => {
    expect(exporter.kind).toBe("exporter");
    expect(exporter.id).toBe(stem);
    expect(exporter.version).toBeGreaterThan(0);
    expect(exporter.usage.length).toBeGreaterThan(0);
    expect(new Set(exporter.columns.map((column) => column.name)).size).toBe(exporter.columns.length);
  });

  it("gives every row the same columns, in the same order", () => {
    for (const row of rows) {
      expect(Object.keys(exporter.row(row))).toEqual(exporter.columns.map((column) => column.name));
    }
  });

  it("gives rows that their columns can hold", () => {
    const form = exporter.format === "parquet" ? "closed" : "open";
    for (const row of rows) expect(shardRowProblem(exporter.row(row), exporter.columns, form)).toBeNull();
  });

  it("gives plain JSON", () => {
    for (const row of rows) {
      const cells = exporter.row(row);
      expect(JSON.parse(canonicalJson(cells))).toEqual(cells);
    }
  });

  it("gives equal rows the same bytes, in any order of calls", () => {
    const first = rows.map((row) => JSON.stringify(exporter.row(row)));
    const again = rows.toReversed().map((row) => JSON.stringify(exporter.row(structuredClone(row))));
    expect(again.toReversed()).toEqual(first);
  });

  it("carries whether a row is simulated", () => {
    for (const row of rows) {
      expect(JSON.stringify(exporter.row(row)).includes('"simulated":true')).toBe(row.simulated);
    }
  });
});
