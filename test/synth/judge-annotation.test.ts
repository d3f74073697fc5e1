import { expect, it } from "vitest";
import { judgeAnnotation, type OpinionServices } from "../../synth/judge-annotation.ts";
import { ScriptedModel } from "../fakes/model.ts";
import { tableReply } from "../fakes/sql-runner.ts";
import { harbourExample } from "../curation/check-subject.ts";
import { newLedger } from "./episode-services.ts";
import { FERRIES } from "./synth-rows.ts";

const EXAMPLE = harbourExample({ question: "How many boats?", gold: "SELECT count(*) FROM boat" });
const SHOWN = {
  question: EXAMPLE.question,
  history: [],
  evidence: null,
  sql: "SELECT count(*) FROM boat",
  schema: FERRIES.schema,
  result: tableReply(["count(*)"], [[3]]),
  databaseDigest: FERRIES.digest,
};
const REPLIES = ['{"verdict": "wrong", "reason": "a"}', "no idea", '{"verdict": "right", "reason": "b"}'];

async function services(model: ScriptedModel): Promise<OpinionServices> {
  return {
    model,
    name: { name: "judge", revision: "1" },
    ledger: await newLedger(),
    signal: new AbortController().signal,
    seed: 1,
    voters: 3,
    sampling: { temperature: 0.7, topP: 1, topK: -1, maxTokens: 100, stop: [], extra: {} },
  };
}

it("asks each voter under a seed of its own, and leaves out what cannot be read", async () => {
  const model = new ScriptedModel(REPLIES);
  const opinions = await judgeAnnotation(EXAMPLE, SHOWN, await services(model));
  expect(opinions).toEqual([
    { verdict: "wrong", reason: "a" },
    { verdict: "right", reason: "b" },
  ]);
  expect(new Set(model.requests.map(({ seed }) => seed)).size).toBe(3);
  expect(model.requests[0]).toMatchObject({ model: "judge", tools: [] });
});

it("asks nothing again that the ledger has, and everything of another annotation", async () => {
  const model = new ScriptedModel([...REPLIES, ...REPLIES]);
  const opened = await services(model);
  const first = await judgeAnnotation(EXAMPLE, SHOWN, opened);
  expect(await judgeAnnotation(EXAMPLE, SHOWN, opened)).toEqual(first);
  expect(model.requests).toHaveLength(3);
  await judgeAnnotation(EXAMPLE, { ...SHOWN, sql: "SELECT 1" }, opened);
  expect(model.requests).toHaveLength(6);
});

it("a failure is told to the ledger and thrown, and the voter is asked again later", async () => {
  const model = new ScriptedModel([new Error("down"), ...REPLIES]);
  const opened = await services(model);
  await expect(judgeAnnotation(EXAMPLE, SHOWN, opened)).rejects.toThrow("down");
  expect(await judgeAnnotation(EXAMPLE, SHOWN, opened)).toHaveLength(2);
});
