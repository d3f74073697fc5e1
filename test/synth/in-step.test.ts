import { expect, it } from "vitest";
import type { GoldRow } from "../../core/rows.ts";
import { inStep } from "../../synth/in-step.ts";
import { rowsOf } from "../fakes/run-stage.ts";
import { example } from "./synth-rows.ts";

function goldOf(exampleId: string): GoldRow {
  return { exampleId, databaseId: "ferries", executions: [], reason: "ok", message: "", labels: {} };
}

const EXAMPLES = ["1", "2", "3"].map((id) => example(id));
const GOLDS = EXAMPLES.map(({ id }) => goldOf(id));

async function pairs(golds: readonly GoldRow[]): Promise<string[]> {
  const found: string[] = [];
  for await (const pair of inStep(rowsOf(EXAMPLES)(), rowsOf(golds)())) {
    expect(pair.gold.exampleId).toBe(pair.example.id);
    found.push(pair.example.sourceId);
  }
  return found;
}

it("gives each example with its gold, in order", async () => {
  expect(await pairs(GOLDS)).toEqual(["1", "2", "3"]);
});

it.each([
  [
    "in another order",
    [GOLDS[1], GOLDS[0], GOLDS[2]],
    `got ${GOLDS[1]?.exampleId}, expected ${GOLDS[0]?.exampleId}`,
  ],
  ["short of one", GOLDS.slice(0, 2), `got none, expected ${GOLDS[2]?.exampleId}`],
])("refuses golds %s", async (_name, golds, message) => {
  const reading = pairs(golds as GoldRow[]);
  await expect(reading).rejects.toMatchObject({ code: "STAGE_ORDER_BROKEN" });
  await expect(reading).rejects.toThrow(message);
});

it("closes the golds when the reader stops", async () => {
  let isClosed = false;
  async function* golds(): AsyncGenerator<GoldRow> {
    try {
      for (const gold of GOLDS) yield await Promise.resolve(gold);
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of inStep(rowsOf(EXAMPLES)(), golds())) break;
  expect(isClosed).toBe(true);
});
