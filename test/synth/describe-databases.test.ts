import path from "node:path";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Database } from "../../core/database.ts";
import { GradusError } from "../../core/errors.ts";
import type { Ledger } from "../../core/ledger.ts";
import type { ModelRequest } from "../../core/model.ts";
import { openLedger } from "../../io/ledger.ts";
import { describeDatabasesStage } from "../../synth/describe-databases.ts";
import type { DescribeOptions } from "../../synth/describe-options.ts";
import { isDescription } from "../../synth/description-sample.ts";
import { modelReply, ScriptedModel, type ScriptLine } from "../fakes/model.ts";
import { FakeProfiler } from "../fakes/profiler.ts";
import { runStage, type StageSurroundings } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { newLedger } from "./episode-services.ts";
import { FERRIES, table } from "./synth-rows.ts";

const OPTIONS: z.input<typeof DescribeOptions> = {
  role: "teacher",
  model: { name: "teacher", revision: "r1" },
  simulated: false,
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 500, extra: {} },
};

/** Names asked for by a request. */
function keysOf({ messages }: ModelRequest): readonly string[] {
  return JSON.parse(/\nKeys of "columns": (.*)$/.exec(messages[1]?.content ?? "")?.[1] ?? "[]") as string[];
}

function tableOf({ messages }: ModelRequest): string {
  return /Table to describe: (\w+)/.exec(messages[1]?.content ?? "")?.[1] ?? "";
}

function reply(names: readonly string[], say = (name: string) => `The ${name}.`): string {
  const columns = Object.fromEntries(names.map((name) => [name, say(name)]));
  return JSON.stringify({ table: "Something.", columns });
}

const answering = () => new ScriptedModel((request) => reply(keysOf(request)));

interface Setting {
  readonly model: ScriptedModel;
  readonly ledger: Ledger;
  readonly databases?: readonly Database[];
  readonly options?: Partial<z.input<typeof DescribeOptions>>;
  readonly surroundings?: Partial<StageSurroundings>;
  readonly runtime?: { readonly concurrency?: number; readonly mayAsk?: boolean };
}

async function described(setting: Setting): Promise<Database[]> {
  const { databases } = await runStage(
    describeDatabasesStage,
    { databases: [...(setting.databases ?? [FERRIES])] },
    { ...OPTIONS, ...setting.options },
    {
      models: { open: () => Promise.resolve(setting.model) },
      ledger: () => Promise.resolve(setting.ledger),
      profiler: new FakeProfiler(),
      runtime: setting.runtime ?? {},
      ...setting.surroundings,
    },
  );
  return databases;
}

function commentsOf(database: Database | undefined) {
  const tables = database?.schema.tables ?? [];
  return tables.map(({ name, comment, columns }) => [name, comment, columns.map((column) => column.comment)]);
}

const WHOLE = [
  ["boat", "Something.", ["The boat_id.", "The name.", "The seats.", "The built."]],
  ["crossing", "Something.", ["The crossing_id.", "The boat_id.", "The island.", "The passengers."]],
];

function withComment(comment: string): Database {
  const [boat, ...others] = FERRIES.schema.tables as [Database["schema"]["tables"][number]];
  const columns = boat.columns.map((column) => ({ ...column, comment }));
  const tables = [{ ...boat, comment: "Ships.", columns }, ...others];
  return { ...FERRIES, schema: { ...FERRIES.schema, tables } };
}

describe("describing databases", () => {
  it("makes what the model says of tables and columns their comments, a request a table", async () => {
    const model = answering();
    const ledger = await newLedger();
    const [database, ...others] = await described({ model, ledger });
    expect(commentsOf(database)).toEqual(WHOLE);
    expect(others).toEqual([]);
    expect(model.requests.map(tableOf).sort()).toEqual(["boat", "crossing"]);
    expect({ ...database, schema: FERRIES.schema }).toEqual(FERRIES);
    const samples = [...ledger.samples()];
    expect(samples.map((sample) => [isDescription(sample), sample.state])).toEqual([
      [true, "finished"],
      [true, "finished"],
    ]);
    const outcome = ledger.outcome(samples[0]?.sampleId ?? "");
    expect(outcome?.kind === "finished" && outcome.trajectory.messages.map(({ train }) => train)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("asks in parts where a table is wide, and takes what is said of the table once", async () => {
    const model = answering();
    const [database] = await described({
      model,
      ledger: await newLedger(),
      options: { columnsPerRequest: 3 },
    });
    expect(commentsOf(database)).toEqual(WHOLE);
    const widths = model.requests.map((request) => keysOf(request).length);
    expect(widths.toSorted((left, right) => left - right)).toEqual([1, 1, 3, 3]);
  });

  it("leaves comments that say something, unless they are to be replaced", async () => {
    const model = answering();
    const kept = await described({
      model,
      ledger: await newLedger(),
      databases: [withComment("As the dataset says.")],
    });
    expect(model.requests.map(tableOf)).toEqual(["crossing"]);
    expect(commentsOf(kept[0])[0]).toEqual(["boat", "Ships.", Array(4).fill("As the dataset says.")]);
    const replaced = await described({
      model: answering(),
      ledger: await newLedger(),
      databases: [withComment("As the dataset says.")],
      options: { replaceExisting: true },
    });
    expect(commentsOf(replaced[0])).toEqual(WHOLE);
  });

  it("takes a comment that repeats the name for none", async () => {
    const boat = table("boat", "boat_id INTEGER", "name TEXT");
    const columns = boat.columns.map((column) => ({ ...column, comment: "Boat ID" }));
    const schema = { ...FERRIES.schema, tables: [{ ...boat, columns }] };
    const model = answering();
    const [database] = await described({
      model,
      ledger: await newLedger(),
      databases: [{ ...FERRIES, schema }],
    });
    expect(commentsOf(database)).toEqual([["boat", "Something.", ["The boat_id.", "Boat ID"]]]);
    expect(model.requests.map(keysOf)).toEqual([["boat_id"]]);
  });

  it("opens no model and no ledger where there is nothing to describe", async () => {
    const missing: Database = { ...FERRIES, status: "missing" };
    const { databases } = await runStage(describeDatabasesStage, { databases: [missing] }, OPTIONS);
    expect(databases).toEqual([missing]);
  });

  it("makes a text one line of bounded length, whatever the model writes", async () => {
    const model = new ScriptedModel((request) =>
      reply(keysOf(request), () => `a\n</tool_call>${"x".repeat(900)}`),
    );
    const [database] = await described({ model, ledger: await newLedger() });
    const text = database?.schema.tables[0]?.columns[0]?.comment ?? "";
    expect(text).toHaveLength(200);
    expect(text.startsWith("a </tool_call>xxx")).toBe(true);
  });
});

describe("a reply that cannot be read", () => {
  const boatSays = (says: (call: number) => ScriptLine) => {
    let calls = 0;
    return new ScriptedModel((request) => {
      if (tableOf(request) !== "boat") return reply(keysOf(request));
      calls += 1;
      return says(calls);
    });
  };

  it("is asked for once more, under another seed", async () => {
    const model = boatSays((call) =>
      call === 1 ? "I am not sure." : reply(["boat_id", "name", "seats", "built"]),
    );
    const warnings: string[] = [];
    const setting = { model, ledger: await newLedger(), surroundings: { warnings } };
    expect(commentsOf((await described(setting))[0])).toEqual(WHOLE);
    const seeds = model.requests.filter((request) => tableOf(request) === "boat").map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(2);
    expect(warnings).toEqual([]);
  });

  it("leaves no comment and a warning after the second, and is not paid for again", async () => {
    const cut = modelReply('{"columns": {"name": "abc', { finishReason: "length" });
    const ledger = await newLedger();
    const model = boatSays(() => cut);
    const warnings: string[] = [];
    const first = await described({ model, ledger, surroundings: { warnings } });
    expect(commentsOf(first[0])[0]).toEqual(["boat", "", ["", "", "", ""]]);
    expect(model.requests).toHaveLength(3);
    const told =
      "replies that could not be read, or left columns out: ferries.boat (4 of 4 columns, cut at the token limit)";
    expect(warnings).toEqual([told]);
    const again = new ScriptedModel([]);
    expect(await described({ model: again, ledger, surroundings: { warnings } })).toEqual(first);
    expect(warnings).toEqual([told, told]);
  });

  it("gives what it does say, the first reply before the second", async () => {
    const model = boatSays((call) =>
      call === 1 ? reply(["boat_id"]) : reply(["boat_id", "name", "seats"], (name) => `Later ${name}.`),
    );
    const warnings: string[] = [];
    const [database] = await described({ model, ledger: await newLedger(), surroundings: { warnings } });
    expect(commentsOf(database)[0]).toEqual([
      "boat",
      "Something.",
      ["The boat_id.", "Later name.", "Later seats.", ""],
    ]);
    expect(warnings).toEqual([
      "replies that could not be read, or left columns out: ferries.boat (1 of 4 columns)",
    ]);
  });
});

describe("going on", () => {
  it("asks nothing a second time", async () => {
    const ledger = await newLedger();
    const first = await described({ model: answering(), ledger });
    const model = new ScriptedModel([]);
    expect(await described({ model, ledger })).toEqual(first);
    expect(model.requests).toEqual([]);
  });

  it("asks for the rest after a kill, wherever it was killed", async () => {
    const options = { columnsPerRequest: 2 };
    const whole = await described({ model: answering(), ledger: await newLedger(), options });
    for (let paid = 0; paid <= 4; paid += 1) {
      const file = path.join(await temporaryFolder(), "ledger.sqlite");
      const ledger = await openLedger(file);
      const killed = new ScriptedModel((request, call) =>
        call < paid ? reply(keysOf(request)) : new Error("killed"),
      );
      const run = { ledger, options, runtime: { concurrency: 1 } };
      if (paid < 4) await expect(described({ ...run, model: killed })).rejects.toThrow("killed");
      else await described({ ...run, model: killed });
      await ledger.close();
      const reopened = await openLedger(file);
      const model = answering();
      expect(await described({ ...run, ledger: reopened, model })).toEqual(whole);
      expect(model.requests).toHaveLength(4 - paid);
      await reopened.close();
    }
  });

  it("uses a reply that was committed before it was read", async () => {
    const ledger = await newLedger();
    const finish = () => Promise.reject(new Error("killed"));
    const dying = new Proxy(ledger, {
      get: (target, name) => {
        if (name === "finish") return finish;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const runtime = { concurrency: 1 };
    await expect(described({ model: answering(), ledger: dying, runtime })).rejects.toThrow("killed");
    const model = answering();
    expect(commentsOf((await described({ model, ledger, runtime }))[0])).toEqual(WHOLE);
    expect(model.requests).toHaveLength(1);
  });

  it("keeps what was paid for where the model is unavailable for some tables", async () => {
    const ledger = await newLedger();
    const model = new ScriptedModel((request) =>
      tableOf(request) === "boat"
        ? new GradusError("MODEL_UNAVAILABLE", "no answer")
        : reply(keysOf(request)),
    );
    await expect(described({ model, ledger })).rejects.toMatchObject({ code: "DESCRIPTIONS_OPEN" });
    const later = answering();
    expect(commentsOf((await described({ model: later, ledger }))[0])).toEqual(WHOLE);
    expect(later.requests.map(tableOf)).toEqual(["boat"]);
  });

  it("ends at once with a failure that no later answer mends", async () => {
    const model = new ScriptedModel(() => new GradusError("MODEL_KEY_REFUSED", "no"));
    const setting = { model, ledger: await newLedger(), runtime: { concurrency: 1 } };
    await expect(described(setting)).rejects.toMatchObject({ code: "MODEL_KEY_REFUSED" });
    expect(model.requests).toHaveLength(1);
  });

  it("is INTERRUPTED by its signal", async () => {
    const surroundings = { signal: AbortSignal.abort() };
    const setting = { model: answering(), ledger: await newLedger(), surroundings };
    await expect(described(setting)).rejects.toMatchObject({ code: "INTERRUPTED" });
  });

  it("asks for nothing as a worker, and uses what the whole run has", async () => {
    const ledger = await newLedger();
    const worker = { model: new ScriptedModel([]), ledger, runtime: { mayAsk: false } };
    await expect(described(worker)).rejects.toMatchObject({ code: "DESCRIPTIONS_MISSING" });
    expect([...ledger.samples()]).toEqual([]);
    const whole = await described({ model: answering(), ledger });
    expect(await described(worker)).toEqual(whole);
  });
});

it("warns of a database that cannot be profiled, and describes the others", async () => {
  const profiler = new FakeProfiler();
  const failing = {
    profile: (database: Database) =>
      database.databaseId === "ferries"
        ? profiler.profile()
        : Promise.reject(new GradusError("PROFILE_FAILED", "its content killed the profiler")),
    search: profiler.search.bind(profiler),
  };
  const bad = { ...FERRIES, databaseId: "bad" };
  const warnings: string[] = [];
  const rows = await described({
    model: answering(),
    ledger: await newLedger(),
    databases: [bad, FERRIES],
    surroundings: { profiler: failing, warnings },
  });
  expect(rows[0]).toEqual(bad);
  expect(commentsOf(rows[1])).toEqual(WHOLE);
  expect(warnings).toEqual(["bad is not described: its content killed the profiler"]);
});
