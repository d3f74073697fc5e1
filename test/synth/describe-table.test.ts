import { expect, it } from "vitest";
import { DescribeOptions } from "../../synth/describe-options.ts";
import { describeTable } from "../../synth/describe-table.ts";
import { profiledTable } from "../../synth/profiled-schema.ts";
import { ScriptedModel } from "../fakes/model.ts";
import { FERRIES_PROFILE } from "../fakes/profiler.ts";
import { newLedger } from "./episode-services.ts";
import { FERRIES } from "./synth-rows.ts";

const options = DescribeOptions.parse({
  role: "teacher",
  model: { name: "teacher", revision: "r1" },
  simulated: true,
  sampling: { temperature: 0.3, topP: 1, topK: -1, maxTokens: 500, extra: {} },
});

const [boat] = FERRIES.schema.tables;
if (boat === undefined) throw new Error("no table");
const table = profiledTable(boat, FERRIES_PROFILE);
const DESCRIBED = {
  databaseId: "ferries",
  databaseDigest: FERRIES.digest,
  tables: ["boat", "crossing"],
  table,
  columns: table.columns.slice(0, 1),
  keys: { declared: [], inferred: [] },
};
const SERVICES = { options, signal: new AbortController().signal, mayAsk: true };
const REPLY = '{"table": "A boat.", "columns": {"boat_id": "Its number."}}';

it("sends the model's name and parameters, and freezes what was said as a sample of no question", async () => {
  const ledger = await newLedger();
  const model = new ScriptedModel([REPLY]);
  const written = await describeTable(DESCRIBED, { ...SERVICES, model, ledger, seed: 1 });
  expect(written).toEqual({ table: "A boat.", columns: new Map([["boat_id", "Its number."]]), isCut: false });
  expect(model.requests[0]).toMatchObject({
    model: "teacher",
    tools: [],
    sampling: { temperature: 0.3, maxTokens: 500, stop: [] },
  });
  const [sample] = ledger.samples();
  const outcome = ledger.outcome(sample?.sampleId ?? "");
  expect(outcome?.kind === "finished" ? outcome.trajectory : null).toMatchObject({
    scaffold: { id: "describe-table", version: 1 },
    source: "simulated",
    finalSql: null,
    stopReason: "answered",
    usage: { promptTokens: 100, completionTokens: 10, costMicroUsd: 7 },
  });
});

it("asks an open sample anew under another seed of the run, and a finished one never", async () => {
  const ledger = await newLedger();
  const killed = new ScriptedModel(["nothing", new Error("killed")]);
  await expect(describeTable(DESCRIBED, { ...SERVICES, model: killed, ledger, seed: 1 })).rejects.toThrow();
  const model = new ScriptedModel([REPLY]);
  const written = await describeTable(DESCRIBED, { ...SERVICES, model, ledger, seed: 2 });
  expect(written.table).toBe("A boat.");
  const [sample] = ledger.samples();
  expect(ledger.turns(sample?.sampleId ?? "")).toHaveLength(1);
  expect(ledger.droppedTurns(sample?.sampleId ?? "")).toHaveLength(1);
  const none = new ScriptedModel([]);
  expect(await describeTable(DESCRIBED, { ...SERVICES, model: none, ledger, seed: 3 })).toEqual(written);
});
