import { describe, expect, it } from "vitest";
import { type SampleIdentity, sampleId, Trajectory, Usage } from "../../core/trajectory.ts";
import { message, trajectory } from "../curation/sample-rows.ts";

const IDENTITY: SampleIdentity = {
  exampleId: "0".repeat(32),
  question: "How many singers?",
  evidence: null,
  history: [{ question: "Who?", sql: null }],
  schemaTextDigest: "a".repeat(64),
  schemaDialect: { id: "omnisql-ddl", version: 1, options: {} },
  profileDigest: null,
  databaseDigest: "b".repeat(64),
  scaffold: { id: "single-turn", version: 1, options: {} },
  tools: [],
  model: { name: "student", revision: "r1" },
  sampling: { temperature: 0.8, topP: 1 },
  round: 0,
  sampleIndex: 2,
};
// sha256 of the canonical JSON, computed outside of this project.
const ID = "728ea755936d872c434f1fb05c47ba18";

describe("sampleId", () => {
  it("is the same for ever, in whatever order the members come", () => {
    expect(sampleId(IDENTITY)).toBe(ID);
    const reversed = Object.fromEntries(Object.entries(IDENTITY).reverse());
    expect(sampleId(reversed as SampleIdentity)).toBe(ID);
    expect(sampleId({ ...IDENTITY, sampling: { topP: 1, temperature: 0.8 } })).toBe(ID);
  });

  it.each<[string, Partial<SampleIdentity>]>([
    ["checkpoint", { model: { name: "student", revision: "r2" } }],
    ["temperature", { sampling: { temperature: 0.7, topP: 1 } }],
    ["parameter that was sent", { sampling: { temperature: 0.8, topP: 1, topK: -1 } }],
    ["schema text", { schemaTextDigest: "c".repeat(64) }],
    ["SQL shown of an earlier turn", { history: [{ question: "Who?", sql: "SELECT 1" }] }],
    ["version of the scaffold", { scaffold: { id: "single-turn", version: 2, options: {} } }],
    ["tools", { tools: [{ id: "run-sql", version: 1, options: {} }] }],
    ["round", { round: 1 }],
    ["sample index", { sampleIndex: 3 }],
  ])("depends on the %s", (_, change) => {
    expect(sampleId({ ...IDENTITY, ...change })).not.toBe(ID);
  });
});

describe("Trajectory", () => {
  const row = trajectory("one", 0, "SELECT 1");

  it("takes a whole row and gives it back", () => {
    expect(Trajectory.parse(row)).toEqual(row);
  });

  it.each([
    ["a source it does not know", { ...row, source: "guessed" }],
    ["a stop reason it does not know", { ...row, stopReason: "tired" }],
    ["a negative weight", { ...row, messages: [{ ...message("assistant", "x"), weight: -1 }] }],
    ["a message without an origin", { ...row, messages: [{ ...message("user", "x"), origin: undefined }] }],
    ["a field it does not know", { ...row, score: 1 }],
  ])("refuses %s", (_, wrong) => {
    expect(Trajectory.safeParse(wrong).success).toBe(false);
  });

  it("tells tokens that were not counted from none", () => {
    const usage = { promptTokens: null, completionTokens: 0, costMicroUsd: null };
    expect(Usage.parse(usage)).toEqual(usage);
    expect(Usage.safeParse({ ...usage, promptTokens: undefined }).success).toBe(false);
  });
});
