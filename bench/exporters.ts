import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";
import type { ExportRow } from "../core/shard.ts";
import { runExport } from "../test/interop/export-runner.ts";
import { exportRow, message, trajectory } from "../test/interop/fixture-rows.ts";
import type { Measured } from "./measured.ts";
import { processorSeconds } from "./processor-time.ts";

const PROMPT_CHARACTERS = 4_000;

/**
 * Rows a CPU-second of each exporter on prompts of 4,000 characters, and its CPU against writing the same rows
 * as plain JSON Lines.
 */
export async function benchExporters(short: boolean): Promise<readonly Measured[]> {
  const count = short ? 3_000 : 20_000;
  const folder = mkdtempSync(path.join(tmpdir(), "gradus-bench-"));
  try {
    const plain = await plainLines(path.join(folder, "plain.jsonl"), count);
    const measured: Measured[] = [];
    for (const exporter of ["verl-rl", "messages-sft"]) {
      const before = processorSeconds().own;
      const target = path.join(folder, exporter);
      mkdirSync(target);
      const options = { exporter, datasetName: "bench", license: "CC0-1.0", recipe: {} };
      const imitate = exporter === "messages-sft";
      await runExport({ [Symbol.iterator]: () => rows(count, imitate) }, options, target);
      const seconds = processorSeconds().own - before;
      measured.push({ name: `${exporter}, rows a CPU-second`, value: (count / seconds).toFixed(0) });
      measured.push({
        name: `${exporter}, CPU / writing plain JSON Lines`,
        value: (seconds / plain).toFixed(2),
      });
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* rows(count: number, imitate: boolean): Generator<ExportRow> {
  const schema = "CREATE TABLE ferry (id INTEGER, name TEXT);\n".repeat(PROMPT_CHARACTERS / 44);
  const answer = trajectory("1", [message("assistant", "```sql\nSELECT count(*) FROM ferry\n```")]);
  for (let index = 0; index < count; index += 1) {
    const prompt = [message("system", "Answer with SQL."), message("user", `${schema}\nQuestion ${index}`)];
    yield exportRow("1", { index, prompt, trajectory: imitate ? answer : null });
  }
}

async function plainLines(file: string, count: number): Promise<number> {
  const before = processorSeconds().own;
  const stream = createWriteStream(file);
  for (const row of rows(count, true)) {
    if (!stream.write(`${JSON.stringify(row)}\n`)) await once(stream, "drain");
  }
  stream.end();
  await finished(stream);
  return processorSeconds().own - before;
}
