import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { listFolder } from "../../io/files.ts";
import { packageRoot } from "../../io/package-root.ts";
import { parseRunConfig, runConfigJsonSchema } from "../../pipelines/config.ts";

const LEAST = `
gradus: 1
name: my-run
datasets: [{ loader: spider, root: spider, split: dev }]
models: { student: { provider: simulated, name: student } }
answers: { rollouts: [{ model: student, scaffold: single-turn, samples: 4 }] }
`;

function read(changes: Readonly<Record<string, unknown>> = {}): ReturnType<typeof parseRunConfig> {
  return parseRunConfig({ ...(parse(LEAST) as object), ...changes }, "my-run.yaml");
}

describe("a config", () => {
  it("needs little, and the rest has defaults", () => {
    expect(read()).toEqual({
      gradus: 1,
      name: "my-run",
      rewards: [],
      seed: 1,
      datasets: [
        {
          loader: "spider",
          root: "spider",
          split: "dev",
          release: null,
          limit: null,
          license: null,
          maxRejectRate: 0,
          corrections: [],
        },
      ],
      models: {
        student: { provider: "simulated", name: "student", revision: "", competence: 0.6, client: {} },
      },
      answers: {
        import: [],
        rollouts: [
          {
            model: "student",
            scaffold: "single-turn",
            options: {},
            samples: 4,
            sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 2048, extra: {} },
            maxCompletionTokens: null,
            stopEarly: null,
            lookahead: 4,
          },
        ],
        concurrency: 64,
        round: 0,
      },
      deduplicate: null,
      descriptions: null,
      evaluation: null,
      prompt: {
        dialect: "omnisql-ddl",
        history: "questions",
        valuesPerColumn: 2,
        retrievesValues: false,
        scaffold: "single-turn",
        options: {},
      },
      profile: {
        samplesPerColumn: 5,
        maxValuesPerColumn: 200_000,
        maxValueCharacters: 200,
        maxValues: 2_000_000,
        minContained: 0.99,
      },
      guard: null,
      judge: {
        metrics: ["bird-ex"],
        labels: ["spider-hardness"],
        predictionCpuMs: 30_000,
        goldCpuMs: 60_000,
        maxRows: 1_000_000,
        maxBytes: 268_435_456,
      },
      filter: {
        metric: "bird-ex",
        trivial: { models: null, settings: null, minimumN: 1, agree: "all", rate: null },
        intractable: { models: null, settings: null, minimumN: 1, agree: "all", rate: null },
        dropEmptyGold: false,
        also: [],
        figures: { models: null, settings: null },
      },
      validation: { fraction: 0.1, databases: null },
      curriculum: { id: "easy-to-hard", levels: 3, options: {} },
      sft: expect.objectContaining({ strategy: "select", perExample: 1, prefer: "short" }),
      embedder: { id: "tf-idf", options: {}, client: {} },
      rounds: { max: 3, role: "student" },
      trainer: null,
      export: {
        exporters: ["verl-rl", "messages-sft"],
        options: {},
        rowsPerFile: 50_000,
        staged: false,
        linker: false,
      },
    });
  });

  it("refuses self-taught metrics that are not judged", () => {
    expect(() => read({ sft: { strategy: "self-taught", metrics: ["spider-em"] } })).toThrow(
      "sft.metrics: got a metric that judge.metrics does not have",
    );
  });

  it("may turn a filter off, or set a part of one", () => {
    const { filter } = read({ filter: { trivial: null, intractable: { minimumN: 8 } } });
    expect(filter.trivial).toBeNull();
    expect(filter.intractable).toEqual({
      models: null,
      settings: null,
      minimumN: 8,
      agree: "all",
      rate: null,
    });
  });

  it("may ask several models, of one or more servers each, in one run", () => {
    const baseUrls = ["http://127.0.0.1:8000/v1", "http://127.0.0.1:8001/v1"];
    const models = {
      student: { provider: "openai", name: "small", client: { baseUrls, server: "vllm" } },
      weak: { provider: "simulated", name: "weak", competence: 0.2 },
      strong: { provider: "simulated", name: "strong", client: { baseUrls } },
      teacher: { provider: "anthropic", name: "large", client: {} },
    };
    const roles = Object.keys(models);
    const rollouts = roles.map((model) => ({ model, scaffold: "single-turn", samples: 1 }));
    const config = read({ models, answers: { rollouts } });
    expect(config.answers.rollouts.map(({ model }) => model)).toEqual(roles);
    expect(config.models["student"]?.client["baseUrls"]).toEqual(baseUrls);
  });

  it("reads imports", () => {
    const { answers } = read({ answers: { import: [{ model: { name: "a" }, files: ["a.sql"] }] } });
    expect(answers.import).toEqual([
      { model: { name: "a", revision: null }, files: ["a.sql"], format: null, partial: false },
    ]);
  });
});

function messageOf(value: unknown): string {
  try {
    parseRunConfig(value, "my-run.yaml");
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "CONFIG_INVALID", site: { file: "my-run.yaml" } });
    return (thrown as Error).message;
  }
  return "it was taken";
}

describe("a wrong config", () => {
  const config = parse(LEAST) as Record<string, unknown>;
  const dataset = { loader: "spider", root: "spider", split: "dev" };
  const rollout = { model: "student", scaffold: "single-turn", samples: 4 };

  it.each<[string, Record<string, unknown>, string]>([
    ["at the top", { curiculum: {} }, 'the top level: unknown key "curiculum" (did you mean "curriculum"?)'],
    [
      "in a section",
      { judge: { metrcs: ["bird-ex"] } },
      'judge: unknown key "metrcs" (did you mean "metrics"?), expected metrics, labels, predictionCpuMs,',
    ],
    [
      "in a list",
      { datasets: [dataset, { ...dataset, lmit: 3 }] },
      'datasets.1: unknown key "lmit" (did you mean "limit"?), expected loader, root, split, release, limit',
    ],
    [
      "in what may be null",
      { filter: { trivial: { minimunN: 2 } } },
      'filter.trivial: unknown key "minimunN" (did you mean "minimumN"?), expected models, settings, minimumN, agree',
    ],
    [
      "deep down",
      { answers: { import: [{ model: { nmae: "a", name: "a" }, files: ["a"] }] } },
      'answers.import.0.model: unknown key "nmae" (did you mean "name"?), expected name, revision',
    ],
    [
      "in answers",
      { answers: { rollouts: [{ ...rollout, samplse: 1 }] } },
      'answers.rollouts.0: unknown key "samplse" (did you mean "samples"?)',
    ],
    [
      "unlike any other",
      { temprature: 1 },
      'the top level: unknown key "temprature", expected gradus, name,',
    ],
  ])("names an unknown key %s", (_, changes, message) => {
    expect(messageOf({ ...config, ...changes })).toContain(message);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a seed that is no number", { seed: "one" }, "seed: "],
    ["a run's name that leaves its folder", { name: "../x" }, "name: "],
    ["another version of the format", { gradus: 2 }, "gradus: "],
    ["no dataset", { datasets: [] }, "datasets: "],
    ["a share above 1", { validation: { fraction: 1.5 } }, "validation.fraction: "],
    ["a choice that there is not", { sft: { prefer: "long" } }, "sft.prefer: "],
    ["a dataset without a split", { datasets: [{ loader: "a", root: "b" }] }, "datasets.0.split: "],
    [
      "an import without files",
      { answers: { import: [{ model: { name: "a" }, files: [] }] } },
      "answers.import.0.files: ",
    ],
    ["no answers", { answers: {} }, "answers: give either import, with one file or more, or rollouts"],
    [
      "answers of two kinds",
      { answers: { rollouts: [rollout], import: [{ model: { name: "a" }, files: ["a"] }] } },
      "answers: give either import, with one file or more, or rollouts",
    ],
    [
      "an option that the model's client does not have",
      { models: { student: { provider: "simulated", name: "s", client: { apiKeyVar: "KEY" } } } },
      'models.student.client: unknown key "apiKeyVar", expected baseUrl, baseUrls, apiKeyVariable,',
    ],
    [
      "a model's client with an address and a list of them",
      {
        models: {
          student: {
            provider: "openai",
            name: "s",
            client: { baseUrl: "http://a/v1", baseUrls: ["http://b/v1"] },
          },
        },
      },
      "models.student.client: got baseUrl and baseUrls, expected one of them",
    ],
    [
      "a model's client without an address",
      { models: { student: { provider: "openai", name: "s", client: { retries: 1 } } } },
      "models.student.client: got neither baseUrl nor baseUrls, expected one of them",
    ],
    [
      "options of a model's client that contradict each other",
      { models: { student: { provider: "simulated", name: "s", client: { maxCostUsd: 1 } } } },
      "models.student.client: maxCostUsd is set and prices are not; expected both",
    ],
    [
      "an address that is wrong in a list",
      { models: { student: { provider: "simulated", name: "s", client: { baseUrls: ["a"] } } } },
      "models.student.client: baseUrls.0: ",
    ],
    [
      "a split of a dataset that is listed twice",
      { datasets: [dataset, dataset] },
      "datasets: one split of one dataset is listed twice",
    ],
    [
      "descriptions by a role that there is not",
      { descriptions: { model: "teacher" } },
      "descriptions.model: got a role that models does not have",
    ],
    [
      "a rollout of a role that there is not",
      { answers: { rollouts: [{ ...rollout, model: "teacher" }] } },
      "models: a rollout names a role that models does not have",
    ],
    [
      "a filter by a metric that is not judged",
      { filter: { metric: "other" } },
      "filter.metric: got a metric that judge.metrics does not have",
    ],
  ])("names the path of %s", (_, changes, message) => {
    expect(messageOf({ ...config, ...changes })).toContain(`cannot use my-run.yaml: ${message}`);
  });

  it("tells every mistake at once", () => {
    const message = messageOf({ ...config, seed: 0.5, sft: { perExample: 0 }, judge: { maxRow: 1 } });
    expect(message).toContain("seed: ");
    expect(message).toContain("sft.perExample: ");
    expect(message).toContain('judge: unknown key "maxRow" (did you mean "maxRows"?)');
  });

  it.each([null, undefined, "text", [], 3])("is %j", (value) => {
    expect(messageOf(value)).toContain("the top level: ");
  });
});

describe("the configs of the package", () => {
  it("all parse", async () => {
    const folder = path.join(await packageRoot(), "configs");
    const files = (await listFolder(folder)).filter((name) => /\.(ya?ml|json)$/.test(name));
    expect(files).toContain("quickstart.yaml");
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), "utf8");
      const config = parseRunConfig(parse(text), file);
      expect(config.name).toBe(path.parse(file).name);
    }
  });
});

describe("runConfigJsonSchema", () => {
  it("describes what a person writes: defaults may be left out, nothing may be added", () => {
    const schema = runConfigJsonSchema() as {
      required: string[];
      additionalProperties: boolean;
      properties: Record<string, unknown>;
    };
    expect(schema.required).toEqual(["gradus", "name", "datasets", "answers"]);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties["seed"]).toMatchObject({ type: "integer", default: 1 });
  });
});
