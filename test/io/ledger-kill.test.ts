import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "../../io/ledger.ts";
import { fakeId, replyOf } from "./fixtures/ledger-samples.ts";

const WRITER = fileURLToPath(new URL("fixtures/ledger-writer.ts", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "ledger-kill-test-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the writer until it has acknowledged `lines` turns, kills it, and gives all that it acknowledged. */
async function killAfter(file: string, lines: number): Promise<string[]> {
  const writer = spawn(process.execPath, ["--import", "tsx", WRITER, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  writer.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (output.split("\n").length > lines) writer.kill("SIGKILL");
  });
  const [, signal] = (await once(writer, "close")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  return output.split("\n").slice(0, -1);
}

describe("a writer killed at any moment", () => {
  it("has lost nothing that it acknowledged, time and again", async () => {
    const file = path.join(folder, "ledger.sqlite");
    let least = 0;
    for (const lines of [1, 37, 300]) {
      const acknowledged = await killAfter(file, lines);
      expect(acknowledged.length).toBeGreaterThanOrEqual(lines);
      const reader = await openLedger(file, { readOnly: true });
      const seen = reader.turns(fakeId("5", 0));
      await reader.close();
      const ledger = await openLedger(file);
      expect(ledger.turns(fakeId("5", 0))).toEqual(seen);
      const turns = [0, 1, 2, 3].map((number) => ledger.turns(fakeId("5", number)));
      for (const line of acknowledged) {
        const [number, turn] = line.split(" ").map(Number) as [number, number];
        const kept = turns[number]?.[turn];
        expect(kept?.requestHash).toBe(`hash-${turn}`);
        expect(kept?.reply).toEqual(replyOf(`${fakeId("5", number)} ${turn} ${"x".repeat(500)}`));
      }
      const count = turns.flat().length;
      expect(count).toBeGreaterThanOrEqual(least);
      least = count;
      await ledger.close();
    }
  });
});
