import { describe, expect, it } from "vitest";
import { judgeError } from "../../synth/judge-error.ts";
import { ScriptedModel } from "../fakes/model.ts";
import { newLedger } from "./episode-services.ts";

const ERROR = {
  question: "Who sails?",
  evidence: null,
  history: [],
  goldSql: "SELECT name FROM captain",
  predictedSql: "SELECT id FROM ferry",
  outcome: "3 rows of 1 columns, not the reference's result",
};
const SERVICES = {
  name: { name: "judge", revision: "1" },
  simulated: false,
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 100, extra: {} },
  classes: { join_path: "joins", schema_linking: "names" },
  signal: new AbortController().signal,
  seed: 1,
};

describe("judgeError", () => {
  it.each([
    ['{"errors": ["schema_linking", "join_path", "schema_linking"]}', ["schema_linking", "join_path"]],
    ['It reads {ferry}. So: {"errors": ["Schema Linking", "nonsense"]}', ["schema_linking"]],
    ['{"errors": []}', null],
    ['{"errors": ["nonsense"]}', null],
    ["schema_linking", null],
    ["{", null],
  ])("reads %s", async (reply, classes) => {
    const ledger = await newLedger();
    const model = new ScriptedModel([reply]);
    expect(await judgeError(ERROR, { ...SERVICES, model, ledger })).toEqual(classes);
    const [sample] = ledger.samples();
    expect(sample?.state).toBe(classes === null ? "discarded" : "finished");
  });

  it("asks the same only once, also where nothing could be read", async () => {
    const ledger = await newLedger();
    await judgeError(ERROR, { ...SERVICES, model: new ScriptedModel(["no idea"]), ledger });
    const none = new ScriptedModel([]);
    expect(await judgeError(ERROR, { ...SERVICES, model: none, ledger })).toBeNull();
    expect(none.requests).toEqual([]);
    const model = new ScriptedModel(['{"errors": ["join_path"]}']);
    const other = { ...ERROR, predictedSql: null };
    expect(await judgeError(other, { ...SERVICES, model, ledger })).toEqual(["join_path"]);
    expect(model.requests[0]).toMatchObject({
      model: "judge",
      tools: [],
      sampling: { temperature: 0, stop: [] },
    });
  });

  it("leaves a judgement open that the model did not give", async () => {
    const ledger = await newLedger();
    const model = new ScriptedModel([new Error("gone")]);
    await expect(judgeError(ERROR, { ...SERVICES, model, ledger })).rejects.toThrow("gone");
    expect([...ledger.samples()].map(({ state }) => state)).toEqual(["open"]);
  });
});
