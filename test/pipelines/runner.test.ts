import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import { defineStage } from "../../core/stage.ts";
import { listFolder } from "../../io/files.ts";
import { type Pipeline, type PipelineStep, step } from "../../pipelines/pipeline.ts";
import { type RunRequest, type RunResult, runPipeline } from "../../pipelines/runner.ts";
import { FakeJudge } from "../fakes/judge.ts";
import {
  DroppedWord,
  ListeningReporter,
  longWordsStage,
  Word,
  wordsStage,
} from "../fakes/pipeline-stages.ts";
import { NO_MODELS, NO_PROFILER, NO_SQL, fakePlugs, noLedger } from "../fakes/run-stage.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

interface Around {
  readonly signal?: AbortSignal;
  readonly request?: Partial<RunRequest>;
}

async function run(
  pipeline: Pipeline,
  runFolder: string,
  around: Around = {},
): Promise<RunResult & { readonly heard: string[] }> {
  const reporter = new ListeningReporter();
  const result = await runPipeline(
    { pipeline, runFolder, seed: 1, until: null, dryRun: false, ...around.request },
    {
      plugs: fakePlugs([]),
      judge: new FakeJudge({ golds: {}, answers: {} }),
      inspector: { inspect: () => Promise.reject(new Error("nothing to inspect")) },
      profiler: NO_PROFILER,
      sql: NO_SQL,
      models: NO_MODELS,
      ledger: noLedger,
      reporter,
      signal: around.signal ?? new AbortController().signal,
    },
  );
  return { ...result, heard: reporter.heard };
}

const FED = { words: { step: "words", port: "words" } };

function words(text = "one or three", more: Partial<PipelineStep> = {}): PipelineStep {
  return step({ id: "words", stage: wordsStage, options: { text }, inputs: {}, ...more });
}

function long(options: unknown = {}): PipelineStep {
  return step({ id: "long", stage: longWordsStage, options, inputs: FED });
}

/** A step that is fed words and does what it is told. */
function doing(
  action: (run: Parameters<typeof longWordsStage.run>[0]) => ReturnType<typeof longWordsStage.run>,
  more: Partial<PipelineStep> = {},
): PipelineStep {
  const stage = defineStage({
    name: "doing",
    version: 1,
    inputs: { words: Word },
    outputs: { kept: Word, dropped: DroppedWord },
    options: z.strictObject({ letters: z.int().default(3) }),
    run: action,
  });
  return step({ id: "doing", stage, inputs: FED, ...more });
}

function writing(content: string): PipelineStep {
  return doing(
    async function* ({ inputs, context }) {
      await writeFile(path.join(context.folder, "out.txt"), content);
      for await (const row of inputs.words()) yield { port: "kept", row } as const;
    },
    { publish: "shards/doing", options: { letters: content.length } },
  );
}

function statuses(result: RunResult): string[] {
  return result.steps.map(({ id, status }) => `${id} ${status}`);
}

describe("a run", () => {
  it("makes each step's artifact and lists its key", async () => {
    const folder = await temporaryFolder();
    const result = await run([words(), long()], folder);
    expect(statuses(result)).toEqual(["words ran", "long ran"]);
    const artifact = result.artifacts.get("long");
    expect(await filesBelow(artifact?.folder ?? "")).toMatchObject({
      "kept.jsonl": '{"place":0,"word":"one"}\n{"place":2,"word":"three"}\n',
      "dropped.jsonl": '{"reason":"too_short","word":"or"}\n',
    });
    expect(artifact?.manifest.outputs["dropped"]).toMatchObject({ rows: 1, groups: { too_short: 1 } });
    expect(artifact?.manifest.inputs["words"]).toBe(
      result.artifacts.get("words")?.manifest.outputs["words"]?.digest,
    );
    expect(JSON.parse((await filesBelow(folder))["latest.json"] ?? "")).toEqual({
      words: result.steps[0]?.key,
      long: result.steps[1]?.key,
    });
    expect(result.heard).toEqual([
      "words started",
      "words ran",
      "long started",
      "long 1 of ?",
      "long 2 of ?",
      "long 3 of ?",
      "long ran",
    ]);
  });

  it("reuses what is there, and runs again for a reason that it names", async () => {
    const folder = await temporaryFolder();
    await run([words(), long()], folder);
    const second = await run([words(), long()], folder);
    expect(statuses(second)).toEqual(["words reused", "long reused"]);
    expect(second.heard).toEqual(["words reused", "long reused"]);
    const third = await run([words(), long({ letters: 4 })], folder);
    expect(statuses(third)).toEqual(["words reused", "long ran"]);
    expect(third.steps[1]?.changed).toEqual(["options.letters 3 -> 4"]);
    expect(third.heard).toContain("long started; options.letters 3 -> 4");
    expect(statuses(await run([words(), long()], folder))).toEqual(["words reused", "long reused"]);
  });

  it("runs what comes after a change only when its rows changed", async () => {
    const folder = await temporaryFolder();
    await run([words("one or three"), long()], folder);
    const other = await run([words("one or four"), long()], folder);
    expect(other.steps.map(({ changed }) => changed)).toEqual([
      ['options.text "one or three" -> "one or four"'],
      ["rows of input words changed"],
    ]);
    const sameRows = await run(
      [words("ONE OR FOUR".toLowerCase(), { runtime: { concurrency: 9 } }), long()],
      folder,
    );
    expect(statuses(sameRows)).toEqual(["words reused", "long reused"]);
    const upper = { text: "one or four", upper: true };
    const unseen = step({ id: "words", stage: wordsStage, options: upper, inputs: {} });
    expect(statuses(await run([unseen, long()], folder))).toEqual(["words ran", "long ran"]);
  });

  it("gives the same bytes in two places", async () => {
    const [one, two] = [await temporaryFolder(), await temporaryFolder()];
    await run([words(), long()], one);
    await run([words(), long()], two);
    expect(await filesBelow(two)).toEqual(await filesBelow(one));
  });

  it("stops after the step it is asked for", async () => {
    const folder = await temporaryFolder();
    expect(statuses(await run([words(), long()], folder, { request: { until: "words" } }))).toEqual([
      "words ran",
    ]);
    expect(await listFolder(path.join(folder, "artifacts"))).toEqual(["words"]);
    await expect(run([words(), long()], folder, { request: { until: "wrods" } })).rejects.toMatchObject({
      code: "STEP_UNKNOWN",
      message: 'there is no step "wrods", expected one of: words, long',
    });
  });

  it("makes nothing when it is dry, and says what would run", async () => {
    const folder = path.join(await temporaryFolder(), "run");
    const request = { dryRun: true };
    const first = await run([words(), long()], folder, { request });
    expect(statuses(first)).toEqual(["words pending", "long pending"]);
    expect(first.steps.map(({ key }) => key?.length)).toEqual([64, undefined]);
    expect(await listFolder(folder)).toEqual([]);
    await run([words(), long()], folder);
    const before = await filesBelow(folder);
    const again = await run([words(), long({ letters: 4 })], folder, { request });
    expect(statuses(again)).toEqual(["words reused", "long pending"]);
    expect(again.steps[1]?.changed).toEqual(["options.letters 3 -> 4"]);
    expect(await filesBelow(folder)).toEqual(before);
  });

  it("shows the files of a step where a person looks for them", async () => {
    const folder = await temporaryFolder();
    await run([words(), writing("one")], folder);
    expect((await filesBelow(path.join(folder, "shards/doing")))["out.txt"]).toBe("one");
    await run([words(), writing("other")], folder);
    expect((await filesBelow(path.join(folder, "shards/doing")))["out.txt"]).toBe("other");
    await run([words(), writing("one")], folder);
    expect((await filesBelow(path.join(folder, "shards/doing")))["out.txt"]).toBe("one");
  });

  it("passes warnings on and keeps them in its report", async () => {
    const warning = doing(async function* ({ inputs, context }) {
      context.warn("a word is odd");
      for await (const row of inputs.words()) yield { port: "kept", row } as const;
    });
    const result = await run([words(), warning], await temporaryFolder());
    expect(result.steps[1]?.warnings).toEqual(["a word is odd"]);
    expect(result.heard).toContain("doing warns: a word is odd");
  });

  it("feeds a port from its first row each time", async () => {
    const twice = doing(async function* ({ inputs }) {
      for await (const row of inputs.words()) yield { port: "kept", row } as const;
      for await (const { word } of inputs.words())
        yield { port: "dropped", row: { word, reason: word } } as const;
    });
    const result = await run([words()], await temporaryFolder());
    expect(result.artifacts.get("words")?.manifest.outputs["words"]?.rows).toBe(3);
    const both = await run([words(), twice], await temporaryFolder());
    expect(both.steps[1]?.outputs).toMatchObject({
      kept: { rows: 3 },
      dropped: { rows: 3, groups: { one: 1, or: 1, three: 1 } },
    });
  });
});

async function failing(broken: PipelineStep): Promise<{ thrown: unknown; folder: string }> {
  const folder = await temporaryFolder();
  const thrown: unknown = await run([words(), broken], folder).catch((error: unknown) => error);
  const files = Object.keys(await filesBelow(folder)).filter((name) =>
    name.includes(`artifacts/${broken.id}/`),
  );
  expect(files).toEqual([]);
  expect(Object.keys(JSON.parse((await filesBelow(folder))["latest.json"] ?? "{}") as object)).toEqual([
    "words",
  ]);
  expect(statuses(await run([words()], folder))).toEqual(["words reused"]);
  return { thrown, folder };
}

describe("a step that fails", () => {
  it("leaves no artifact, and what was finished stays", async () => {
    const { thrown } = await failing(
      doing(async function* ({ inputs }) {
        for await (const row of inputs.words()) yield { port: "kept", row } as const;
        throw new RangeError("out of luck");
      }),
    );
    expect(thrown).toMatchObject({
      code: "STAGE_FAILED",
      message: "step doing failed: out of luck",
      site: { stage: "doing" },
    });
    expect((thrown as GradusError).cause).toBeInstanceOf(RangeError);
  });

  it("keeps an error with a code of its own", async () => {
    const own = new GradusError("DATASET_ODD", "odd");
    const { thrown } = await failing(
      doing(async function* () {
        yield await Promise.reject(own);
      }),
    );
    expect(thrown).toBe(own);
  });

  it("is one whose row its schema refuses", async () => {
    const { thrown } = await failing(
      doing(async function* () {
        yield await Promise.resolve({ port: "kept", row: { word: "a", place: -1 } } as const);
      }),
    );
    expect(thrown).toMatchObject({ code: "STAGE_FAILED" });
    expect((thrown as Error).message).toContain("place");
  });

  it("is one that writes to a port that it does not have", async () => {
    const { thrown } = await failing(
      doing(async function* () {
        yield (await Promise.resolve({ port: "lost", row: { word: "a", place: 1 } })) as never;
      }),
    );
    expect(thrown).toMatchObject({ code: "STAGE_PORT_UNKNOWN" });
  });

  it("is one that loses or doubles a row", async () => {
    const losing = defineStage({
      ...longWordsStage,
      async *run({ inputs, options }) {
        for await (const row of inputs.words())
          if (row.word.length >= options.letters) yield { port: "kept", row } as const;
      },
    });
    const { thrown } = await failing(step({ id: "long", stage: losing, inputs: FED }));
    expect(thrown).toMatchObject({
      code: "STAGE_UNBALANCED",
      message: "step long took 3 rows at words and gave 2 at kept + dropped",
    });
  });
});

describe("rejects", () => {
  const text = "one 2wo three 4our";

  it("fail a step when there are more than it may have, and the first are told", async () => {
    const folder = await temporaryFolder();
    await expect(run([words(text)], folder)).rejects.toMatchObject({
      code: "STAGE_TOO_MANY_REJECTS",
      message:
        "step words refused 2 rows, more than its limit (0); first: " +
        "word 1: WORD_HAS_DIGIT: got 2wo; word 3: WORD_HAS_DIGIT: got 4our",
    });
    expect(await listFolder(path.join(folder, "artifacts/words"))).toEqual([]);
    await expect(run([words(text, { maxRejectRate: 0.49 })], folder)).rejects.toMatchObject({
      code: "STAGE_TOO_MANY_REJECTS",
    });
  });

  it("are rows like others up to the limit", async () => {
    const result = await run([words(text, { maxRejectRate: 0.5 })], await temporaryFolder());
    expect(result.steps[0]?.outputs).toMatchObject({
      words: { rows: 2 },
      rejects: { rows: 2, groups: { WORD_HAS_DIGIT: 2 } },
    });
  });

  it("are held against a limit that was lowered since", async () => {
    const folder = await temporaryFolder();
    await run([words(text, { maxRejectRate: 0.5 })], folder);
    await expect(run([words(text)], folder)).rejects.toMatchObject({ code: "STAGE_TOO_MANY_REJECTS" });
    expect(statuses(await run([words(text, { maxRejectRate: 0.5 })], folder))).toEqual(["words reused"]);
  });
});

describe("an interrupt", () => {
  const hint = "run the same command again: finished steps are kept";

  it("stops at the next row, leaves no artifact, and a later run goes on from there", async () => {
    const folder = await temporaryFolder();
    const controller = new AbortController();
    const slow = doing(async function* ({ inputs }) {
      for await (const row of inputs.words()) {
        if (row.place === 1) controller.abort();
        yield { port: "kept", row } as const;
      }
    });
    await expect(run([words(), slow], folder, { signal: controller.signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
      message: "interrupted in step doing",
      hint,
    });
    expect(await listFolder(path.join(folder, "artifacts/doing"))).toEqual([]);
    expect(statuses(await run([words(), slow], folder))).toEqual(["words reused", "doing ran"]);
  });

  it("never keeps the rows of a stage that ended early because of it", async () => {
    const folder = await temporaryFolder();
    const controller = new AbortController();
    const polite = doing(async function* ({ inputs, context }) {
      for await (const row of inputs.words()) {
        yield { port: "kept", row } as const;
        controller.abort();
        if (context.signal.aborted) return;
      }
    });
    await expect(run([words(), polite], folder, { signal: controller.signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
    expect(await listFolder(path.join(folder, "artifacts/doing"))).toEqual([]);
  });

  it("is told as such when a stage fails because of it", async () => {
    const controller = new AbortController();
    const closed = doing(async function* () {
      controller.abort();
      yield await Promise.reject(new GradusError("SQL_JUDGE_CLOSED", "closed"));
    });
    await expect(
      run([words(), closed], await temporaryFolder(), { signal: controller.signal }),
    ).rejects.toMatchObject({ code: "INTERRUPTED", cause: { code: "SQL_JUDGE_CLOSED" } });
  });
});

describe("before anything runs", () => {
  it("the pipeline is checked and all options are read", async () => {
    const folder = await temporaryFolder();
    const crossed = step({
      id: "long",
      stage: longWordsStage,
      inputs: { words: { step: "words", port: "rejects" } },
    });
    await expect(run([words(), crossed], folder)).rejects.toMatchObject({ code: "PIPELINE_MALFORMED" });
    await expect(run([words(), long({ leters: 3 })], folder)).rejects.toMatchObject({
      code: "STAGE_OPTIONS_INVALID",
    });
    expect(await listFolder(folder)).toEqual([]);
  });
});
