import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ProfileOptions } from "../../core/database-profiler.ts";
import type { Ledger } from "../../core/ledger.ts";
import { defineScaffold, type Scaffold } from "../../core/scaffold.ts";
import { Openings } from "../../synth/openings.ts";
import { givenMessage, sampledMessage } from "../../synth/episode-messages.ts";
import { type OpenRollout, playSample } from "../../synth/play-sample.ts";
import { ScriptedModel, type ScriptLine } from "../fakes/model.ts";
import { NO_PROFILER } from "../fakes/run-stage.ts";
import { FakeSqlRunner } from "../fakes/sql-runner.ts";
import { newLedger } from "./episode-services.ts";
import { example, FERRIES, plugs } from "./synth-rows.ts";

/** A scaffold of one reply: the linker takes names of tables, the other one SQL. */
function oneReply(id: string, react: Scaffold["react"]): Scaffold {
  return defineScaffold({
    id,
    version: 1,
    options: z.strictObject({}),
    readsGold: false,
    pastThoughts: "none",
    nativeTools: () => false,
    tools: () => [],
    stops: () => [],
    maxTurns: () => 1,
    open: ({ schemaText }) => [givenMessage("user", schemaText)],
    read: (reply) =>
      sampledMessage(reply, { reasoning: null, content: reply.content, toolCalls: [], restored: "" }),
    react,
    observe: () => [],
  });
}

const LINKER = oneReply("linker", ({ content }) =>
  content === ""
    ? { kind: "stop", reason: "no_answer" }
    : { kind: "links", links: content.split(" ").map((table) => ({ table, columns: [] })) },
);
const GENERATOR = oneReply("generator", ({ content }) => ({ kind: "answer", sql: content }));
const dialect = await plugs.find("schema-dialect", "omnisql-ddl");

async function play(script: readonly ScriptLine[], prelude: OpenRollout["prelude"], given?: Ledger) {
  const model = new ScriptedModel(script);
  const ledger = given ?? (await newLedger());
  const profileOptions = ProfileOptions.parse({});
  const openings = new Openings({ dialect, retrievesValues: false, profileOptions }, NO_PROFILER);
  openings.addDatabase(FERRIES);
  const rollout: OpenRollout = {
    scaffold: GENERATOR,
    options: {},
    tools: [],
    model,
    history: "questions",
    prelude,
    plan: {
      role: "student",
      model: { name: "student", revision: "r1" },
      simulated: true,
      scaffold: "generator",
      options: {},
      samples: 1,
      sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 100, extra: {} },
      maxCompletionTokens: null,
      stopEarly: null,
      lookahead: 1,
    },
  };
  const played = await playSample(
    example("1", { gold: ["SELECT count(*) FROM crossing"] }),
    rollout,
    { sampleIndex: 0, history: [] },
    {
      openings,
      dialect,
      profileOptions,
      profiler: NO_PROFILER,
      ledger,
      sql: new FakeSqlRunner(),
      signal: new AbortController().signal,
      round: 0,
      seed: 1,
    },
  );
  return { played, shown: model.requests.map(({ messages }) => messages[0]?.content ?? ""), ledger };
}

const linker = { scaffold: LINKER, options: {}, tools: [] };

describe("playSample", () => {
  it("shows the answer's episode what the linker left of the schema", async () => {
    const { played, shown } = await play(["boat", "SELECT 1"], linker);
    expect(shown[0]).toContain("CREATE TABLE crossing");
    expect(shown[1]).toContain("CREATE TABLE boat");
    expect(shown[1]).not.toContain("CREATE TABLE crossing");
    expect(played?.linking).toMatchObject({
      scaffold: { id: "linker" },
      links: [{ table: "boat", columns: [] }],
      finalSql: null,
      stopReason: "answered",
      source: "simulated",
    });
    expect(played?.trajectory).toMatchObject({ scaffold: { id: "generator" }, finalSql: "SELECT 1" });
    expect(played?.trajectory.links).toBeUndefined();
  });

  it("shows the whole schema after a linker that found nothing", async () => {
    const { played, shown } = await play(["", "SELECT 1"], linker);
    expect(shown[1]).toBe(shown[0]);
    expect(played?.linking).toMatchObject({ stopReason: "no_answer" });
  });

  it("takes the gold's links in the linker's place where it is told to", async () => {
    const { played, shown } = await play(["SELECT 1"], "gold_links");
    expect(shown).toHaveLength(1);
    expect(shown[0]).not.toContain("CREATE TABLE boat");
    expect(shown[0]).toContain("CREATE TABLE crossing");
    expect(played?.linking).toBeNull();
  });

  it("asks for nothing that the ledger has: another linking is another sample", async () => {
    const first = await play(["boat", "SELECT 1"], linker);
    const again = await play([], linker, first.ledger);
    expect(again.played).toEqual(first.played);
    const other = await play(["SELECT 2"], "gold_links", first.ledger);
    expect(other.played?.trajectory.id).not.toBe(first.played?.trajectory.id);
  });
});
