import { describe, expect, it } from "vitest";
import { SampleIdentity, sampleId } from "../../core/trajectory.ts";
import { resolvePlan } from "../../synth/episode-plan.ts";
import singleTurn from "../../synth/scaffolds/single-turn.ts";
import sqlTrail from "../../synth/scaffolds/sql-trail.ts";
import sqlTool from "../../synth/tools/execute-sql-dataframe.ts";
import { openingOf, planOf } from "./episode-rows.ts";
import { FERRIES } from "./synth-rows.ts";

describe("resolvePlan", () => {
  it("says whose sample an episode is", () => {
    const history = [{ question: "How many?", sql: null }];
    const { identity, sampling } = resolvePlan(
      planOf(sqlTrail, [sqlTool], {
        opening: openingOf({ history }),
        options: { maxTurns: 4 },
        sampleIndex: 3,
      }),
    );
    expect(SampleIdentity.parse(identity)).toEqual(identity);
    expect(identity).toEqual({
      exampleId: "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee1",
      question: "Which boats are there?",
      evidence: null,
      history,
      // printf 'CREATE TABLE boat (\n  name TEXT\n);' | sha256sum
      schemaTextDigest: "211ba04943b113f93f7c37c5048c1fc5b4dc2bb0c1801a49519231ce562896bb",
      schemaDialect: { id: "omnisql-ddl", version: 1, options: {} },
      profileDigest: null,
      databaseDigest: "f".repeat(64),
      scaffold: {
        id: "sql-trail",
        version: 1,
        options: { history: "questions", maxTurns: 4, maxRows: 50, maxCellCharacters: 200, cpuMs: 30_000 },
      },
      tools: [
        {
          id: "execute-sql-dataframe",
          version: 1,
          options: {
            maxRows: 50,
            maxCellCharacters: 200,
            maxCharacters: 20_000,
            cpuMs: 30_000,
            maxResultRows: 1_000_000,
            maxResultBytes: 268_435_456,
          },
        },
      ],
      model: { name: "student", revision: "r1" },
      sampling: {
        temperature: 1,
        topP: 0.99,
        topK: -1,
        maxTokens: 2048,
        extra: {},
        stop: ["</sql>", "</solution>"],
      },
      round: 0,
      sampleIndex: 3,
    });
    expect(sampling.stop).toEqual(["</sql>", "</solution>"]);
  });

  it("gives other samples other identities, and none to the run's seed or to gold", () => {
    const plan = planOf(sqlTrail, [sqlTool]);
    const idOf = (parts: Partial<typeof plan>) => sampleId(resolvePlan({ ...plan, ...parts }).identity);
    const ids = [
      idOf({}),
      idOf({ sampleIndex: 1 }),
      idOf({ round: 1 }),
      idOf({ options: { maxRows: 10 } }),
      idOf({ maxCompletionTokens: 4000 }),
      idOf({ model: { name: "student", revision: "r2" } }),
      idOf({ opening: openingOf({ schemaText: "other" }) }),
      idOf({ opening: openingOf({ database: { ...FERRIES, digest: "" } }) }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    const opening = openingOf();
    const regraded = { ...opening, example: { ...opening.example, gold: ["SELECT 2"] } };
    expect(idOf({ seed: 8, opening: regraded })).toBe(ids[0]);
  });

  it("refuses options and plans that do not fit", () => {
    expect(() => resolvePlan(planOf(sqlTrail, [sqlTool], { options: { maxTurn: 4 } }))).toThrow(
      expect.objectContaining({ code: "EPISODE_OPTIONS_INVALID" }),
    );
    expect(() => resolvePlan(planOf(sqlTrail, []))).toThrow(
      expect.objectContaining({
        code: "EPISODE_TOOL_MISSING",
        message: "the scaffold sql-trail uses the tool execute-sql-dataframe, got no tools",
      }),
    );
    expect(resolvePlan(planOf(singleTurn, [sqlTool])).tools).toEqual([]);
  });
});
