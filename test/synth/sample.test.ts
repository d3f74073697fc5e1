import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import type { Ledger } from "../../core/ledger.ts";
import type { Model, ModelRequest } from "../../core/model.ts";
import type { GoldRow } from "../../core/rows.ts";
import type { Verdict } from "../../core/verdict.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { sampleStage } from "../../synth/sample.ts";
import type { SampleOptions } from "../../synth/sample-options.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { ScriptedModel, type ScriptLine } from "../fakes/model.ts";
import { runStage, type StageSurroundings } from "../fakes/run-stage.ts";
import { FakeSqlRunner } from "../fakes/sql-runner.ts";
import { newLedger } from "./episode-services.ts";
import { example, FERRIES, plugs } from "./synth-rows.ts";

type Options = z.input<typeof SampleOptions>;
type Rollout = Options["rollouts"][number];

const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };
const RIGHT = "SELECT name FROM boat";
const WRONG = "SELECT boat_id FROM boat";
const EXAMPLES = ["1", "2", "3"].map((id) => example(id));

function verdict(score: number): Verdict {
  return { status: "scored", score };
}

const JUDGED = {
  golds: { [RIGHT]: executed("ok") },
  answers: {
    [RIGHT]: { execution: executed("ok"), verdict: verdict(1) },
    [WRONG]: { execution: executed("ok"), verdict: verdict(0) },
  },
};

function rollout(parts: Partial<Rollout> = {}): Rollout {
  return {
    role: "student",
    model: { name: "student", revision: "r1" },
    simulated: false,
    scaffold: "single-turn",
    options: {},
    samples: 2,
    sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 100, extra: {} },
    maxCompletionTokens: null,
    stopEarly: null,
    lookahead: 2,
    ...parts,
  };
}

function optionsOf(rollouts: Rollout[], parts: Partial<Options> = {}): Options {
  const judge = { metric: "bird-ex", goldLimits: LIMITS, predictionLimits: LIMITS };
  return { rollouts, dialect: "omnisql-ddl", round: 0, judge, part: null, ...parts };
}

function goldsOf(examples: readonly Example[], reasons: Readonly<Record<string, string>> = {}): GoldRow[] {
  return examples.map(({ id, sourceId, databaseId }) => ({
    exampleId: id,
    databaseId,
    executions: [executed("ok")],
    reason: reasons[sourceId] ?? "ok",
    message: "",
    labels: {},
  }));
}

interface Setting {
  readonly ledger: Ledger;
  readonly model: Model;
  readonly examples?: readonly Example[];
  readonly reasons?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly judge?: FakeJudge;
}

function sample(setting: Setting, options: Options) {
  const examples = setting.examples ?? EXAMPLES;
  const surroundings: StageSurroundings = {
    plugs,
    models: { open: () => Promise.resolve(setting.model) },
    ledger: () => Promise.resolve(setting.ledger),
    judge: setting.judge ?? new FakeJudge(JUDGED),
    sql: new FakeSqlRunner(),
    runtime: { concurrency: setting.concurrency ?? 4 },
    ...(setting.signal === undefined ? {} : { signal: setting.signal }),
  };
  const golds = goldsOf(examples, setting.reasons);
  return runStage(
    sampleStage,
    { examples: [...examples], databases: [FERRIES], golds },
    options,
    surroundings,
  );
}

function fenced(sql: string): string {
  return `\`\`\`sql\n${sql}\n\`\`\``;
}

/** The question that a request asks, as the examples name it. */
function asked(request: ModelRequest): string {
  const text = request.messages.map(({ content }) => content).join("\n");
  return /Question (\S+)\?/.exec(text)?.[1] ?? "";
}

/** A model that answers a request by its question and by how often that was asked before. */
function modelOf(answers: (question: string, time: number) => ScriptLine): ScriptedModel {
  const times = new Map<string, number>();
  return new ScriptedModel((request) => {
    const question = asked(request);
    const time = times.get(question) ?? 0;
    times.set(question, time + 1);
    return answers(question, time);
  });
}

const unavailable = new GradusError("MODEL_UNAVAILABLE", "no valid reply in 3 attempts");

describe("the rows", () => {
  it("go by example, plan and sample index, each group with its row", async () => {
    const model = modelOf(() => fenced(RIGHT));
    const plans = [rollout({ samples: 2 }), rollout({ samples: 1, model: { name: "other", revision: "" } })];
    const { trajectories, groups } = await sample({ ledger: await newLedger(), model }, optionsOf(plans));
    expect(trajectories.map((row) => [row.exampleId.at(-1), row.model.name, row.sampleIndex])).toEqual([
      ["1", "student", 0],
      ["1", "student", 1],
      ["1", "other", 0],
      ["2", "student", 0],
      ["2", "student", 1],
      ["2", "other", 0],
      ["3", "student", 0],
      ["3", "student", 1],
      ["3", "other", 0],
    ]);
    expect(groups).toHaveLength(6);
    expect(groups[0]).toEqual({
      exampleId: EXAMPLES[0]?.id,
      model: { name: "student", revision: "r1" },
      setting: "single-turn",
      round: 0,
      planned: 2,
      sampled: 2,
      stopRule: "complete",
    });
    expect(trajectories[0]).toMatchObject({ source: "sampled", finalSql: RIGHT, stopReason: "answered" });
  });

  it("say so of a simulated model", async () => {
    const model = modelOf(() => fenced(RIGHT));
    const options = optionsOf([rollout({ simulated: true })]);
    const { trajectories } = await sample({ ledger: await newLedger(), model }, options);
    expect(new Set(trajectories.map(({ source }) => source))).toEqual(new Set(["simulated"]));
  });

  it("are none for a question that cannot be judged", async () => {
    const model = modelOf(() => fenced(RIGHT));
    const setting = { ledger: await newLedger(), model, reasons: { 2: "gold_error" } };
    const { trajectories, groups } = await sample(setting, optionsOf([rollout()]));
    expect(trajectories.map(({ exampleId }) => exampleId.at(-1))).toEqual(["1", "1", "3", "3"]);
    expect(groups).toHaveLength(2);
    expect(model.requests.map(asked)).not.toContain("2");
  });

  it("of all parts together are those of the whole", async () => {
    const examples = ["0", "1", "2", "7", "a", "b"].map((id) =>
      example(id, { id: `0000000${id}`.padEnd(32, "0") }),
    );
    const options = (part: Options["part"]): Options => optionsOf([rollout({ samples: 1 })], { part });
    const idsOf = async (part: Options["part"]): Promise<string[]> => {
      const setting = { ledger: await newLedger(), model: modelOf(() => fenced(RIGHT)), examples };
      return (await sample(setting, options(part))).trajectories.map(({ exampleId }) =>
        exampleId.slice(7, 8),
      );
    };
    expect(await idsOf({ index: 1, count: 3 })).toEqual(["0"]);
    expect(await idsOf({ index: 2, count: 3 })).toEqual(["1", "7", "a"]);
    expect(await idsOf({ index: 3, count: 3 })).toEqual(["2", "b"]);
    expect(await idsOf(null)).toEqual(["0", "1", "2", "7", "a", "b"]);
  });
});

describe("the ledger", () => {
  it("makes a second run ask for nothing and give the same rows", async () => {
    const ledger = await newLedger();
    const first = await sample({ ledger, model: modelOf(() => fenced(RIGHT)) }, optionsOf([rollout()]));
    const silent = new ScriptedModel([]);
    expect(await sample({ ledger, model: silent, concurrency: 1 }, optionsOf([rollout()]))).toEqual(first);
    expect(silent.requests).toEqual([]);
  });

  it("keeps all other samples when the model was unavailable for one", async () => {
    const ledger = await newLedger();
    const failing = modelOf((question, time) =>
      question === "2" && time === 0 ? unavailable : fenced(RIGHT),
    );
    await expect(sample({ ledger, model: failing }, optionsOf([rollout()]))).rejects.toMatchObject({
      code: "SAMPLES_OPEN",
    });
    expect(failing.requests).toHaveLength(6);
    const working = modelOf(() => fenced(RIGHT));
    const { trajectories } = await sample({ ledger, model: working }, optionsOf([rollout()]));
    expect(trajectories).toHaveLength(6);
    expect(working.requests.map(asked)).toEqual(["2"]);
  });
});

describe("what ends the stage", () => {
  it("is told as it is, and nothing is asked after it", async () => {
    const refused = new GradusError("MODEL_KEY_REFUSED", "wrong key");
    const model = modelOf(() => refused);
    const sampling = sample({ ledger: await newLedger(), model, concurrency: 2 }, optionsOf([rollout()]));
    await expect(sampling).rejects.toBe(refused);
    expect(model.requests.length).toBeLessThanOrEqual(2);
  });

  it("lets replies on their way reach the ledger, and sends nothing that waits", async () => {
    const ledger = await newLedger();
    const controller = new AbortController();
    const held = new HeldModel(2);
    const setting = { ledger, model: held, signal: controller.signal, concurrency: 6 };
    const sampling = sample(setting, optionsOf([rollout()]));
    await held.isFull;
    controller.abort();
    held.answerSent();
    await expect(sampling).rejects.toMatchObject({ code: "INTERRUPTED" });
    expect([...ledger.samples()].filter(({ state }) => state === "finished")).toHaveLength(2);
    expect(held.sent).toBe(2);
  });
});

/** A model that sends `places` requests at once and holds the replies back until told. */
class HeldModel implements Model {
  sent = 0;
  readonly isFull: Promise<void>;
  readonly #places: number;
  readonly #replies: (() => void)[] = [];
  readonly #answering = new ScriptedModel(() => fenced(RIGHT));
  #tellFull: () => void = () => undefined;

  constructor(places: number) {
    this.#places = places;
    this.isFull = new Promise((resolve) => (this.#tellFull = resolve));
  }

  async complete(request: ModelRequest, signal: AbortSignal, sentSignal = signal) {
    if (this.sent === this.#places) {
      return new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new GradusError("INTERRUPTED", "stopped")), {
          once: true,
        });
      });
    }
    this.sent += 1;
    await new Promise<void>((resolve) => {
      this.#replies.push(resolve);
      if (this.sent === this.#places) this.#tellFull();
    });
    return this.#answering.complete(request, sentSignal);
  }

  answerSent(): void {
    for (const answer of this.#replies) answer();
  }

  account() {
    return this.#answering.account();
  }

  close(): Promise<void> {
    return this.#answering.close();
  }
}

describe("early stop", () => {
  it("ends a group by the verdicts of its samples in order", async () => {
    const script: Readonly<Record<string, readonly string[]>> = {
      1: [fenced(RIGHT), fenced(WRONG), fenced(RIGHT), fenced(RIGHT)],
      2: [fenced(WRONG), "no idea", fenced(WRONG), fenced(RIGHT)],
      3: [fenced(RIGHT), fenced(RIGHT), fenced(RIGHT), fenced(RIGHT)],
    };
    const model = modelOf((question, time) => script[question]?.[time] ?? "");
    const options = optionsOf([rollout({ samples: 4, stopEarly: "mixed", lookahead: 1 })]);
    const { trajectories, groups } = await sample({ ledger: await newLedger(), model }, options);
    expect(groups.map(({ planned, sampled, stopRule }) => [planned, sampled, stopRule])).toEqual([
      [4, 2, "mixed"],
      [4, 4, "complete"],
      [4, 4, "complete"],
    ]);
    expect(trajectories).toHaveLength(10);
    expect(model.requests).toHaveLength(10);
  });

  it("judges a sample without a score once more, and then goes on", async () => {
    const timeout: Verdict = { status: "unscored", reason: "pred_timeout", message: "" };
    const answers = { [RIGHT]: { execution: executed("timeout"), verdict: timeout } };
    const judge = new FakeJudge({ golds: JUDGED.golds, answers });
    const model = modelOf(() => fenced(RIGHT));
    const options = optionsOf([rollout({ stopEarly: "first_right", lookahead: 1 })]);
    const setting = { ledger: await newLedger(), model, judge, examples: EXAMPLES.slice(0, 1) };
    const { groups } = await sample(setting, options);
    expect(groups[0]).toMatchObject({ sampled: 2, stopRule: "complete" });
    expect(judge.requests).toHaveLength(4);
  });

  it("is decided by the versions of the tools, and of the metric where it may end early", async () => {
    const kinds = async (stopEarly: Rollout["stopEarly"], scaffold: string): Promise<string[]> => {
      const options = sampleStage.options.parse(optionsOf([rollout({ stopEarly, scaffold })]));
      const found = await sampleStage.plugs(options, createPlugFinder());
      return found.map(({ kind, id }) => `${kind} ${id}`);
    };
    expect(await kinds("mixed", "single-turn")).toEqual([
      "schema-dialect omnisql-ddl",
      "scaffold single-turn",
      "metric bird-ex",
    ]);
    expect(await kinds(null, "sql-trail")).toEqual([
      "schema-dialect omnisql-ddl",
      "scaffold sql-trail",
      "tool execute-sql-dataframe",
    ]);
  });
});
