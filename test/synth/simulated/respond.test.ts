import { beforeAll, describe, expect, it } from "vitest";
import { loadQuestions } from "../../../pipelines/serve/load-questions.ts";
import { DatasetConfig } from "../../../pipelines/config.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { parseAnswer } from "../../../synth/answer-text.ts";
import { singleTurnPrompt } from "../../../synth/prompts/single-turn.ts";
import { goldHardness } from "../../../synth/simulated/gold-hardness.ts";
import type { ChatText, KnownQuestion } from "../../../synth/simulated/question-index.ts";
import {
  competenceOf,
  createSimulatedModel,
  type SimulatedModel,
  type SimulatedRequest,
} from "../../../synth/simulated/respond.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { example, FERRIES } from "../synth-rows.ts";

const QUESTION: KnownQuestion = {
  example: example("1", {
    question: "Which boats are big?",
    gold: ["SELECT name FROM boat WHERE seats > 20"],
  }),
  schema: FERRIES.schema,
};
const TRAIL = "Think in <reasoning>, try queries in <sql>, read <observation>, end with <solution>.";

let sample: KnownQuestion[];

beforeAll(async () => {
  const datasets = ["spider", "bird", "cosql"].map((loader) =>
    DatasetConfig.parse({ loader, root: `sample:${loader}`, split: "train" }),
  );
  const roots = { dataRoot: null, configFolder: ".", runsFolder: await temporaryFolder() };
  sample = await loadQuestions(datasets, createPlugFinder(), roots);
});

function prompt({ example: asked, schema }: KnownQuestion): ChatText[] {
  const tables = schema.tables.map(
    ({ name, columns }) => `CREATE TABLE ${name} (\n${columns.map((column) => column.name).join(",\n")}\n);`,
  );
  return singleTurnPrompt(asked, tables.join("\n\n"), "questions");
}

interface Parts {
  readonly seed?: number | null;
  readonly model?: string;
  readonly keepsStop?: boolean;
  readonly sampling?: Partial<SimulatedRequest["sampling"]>;
}

function request(messages: readonly ChatText[], parts: Parts = {}): SimulatedRequest {
  return {
    model: parts.model ?? "student",
    messages,
    sampling: { temperature: 0.8, maxTokens: 1000, stop: [], ...parts.sampling },
    seed: parts.seed === undefined ? 1 : parts.seed,
    keepsStop: parts.keepsStop ?? false,
  };
}

/** What a prompt can tell of a question: the sample has one that is asked twice, with two golds. */
function identity({ example: { databaseId, question, history } }: KnownQuestion): string {
  return JSON.stringify([databaseId, question, history.map((turn) => turn.question)]);
}

/** The SQL in one spelling: space and words in lower case, texts as they are, no semicolon. */
function plain(sql: string): string {
  const parts = sql.split("'").map((part, index) => (index % 2 === 0 ? part.toLowerCase() : part));
  return parts.join("'").replace(/\s+/g, " ").replace(/;$/, "").trim();
}

function isRight(model: SimulatedModel, question: KnownQuestion, parts: Parts): boolean {
  const { content } = model.respond(request(prompt(question), parts));
  return plain(parseAnswer(content).sql ?? "") === plain(question.example.gold[0] ?? "");
}

describe("createSimulatedModel", () => {
  it("gives the same bytes for the same request, in any order", () => {
    const model = createSimulatedModel(sample, { competence: 0.5 });
    const asked = sample.slice(0, 30).map((question, seed) => request(prompt(question), { seed }));
    const first = asked.map((one) => model.respond(one));
    const again = createSimulatedModel(sample, { competence: 0.5 });
    expect([...asked].reverse().map((one) => again.respond(one))).toEqual([...first].reverse());
  });

  it("answers otherwise under another seed, but not at temperature 0", () => {
    const model = createSimulatedModel([QUESTION], { competence: 0.5 });
    const texts = (temperature: number) =>
      new Set(
        Array.from({ length: 40 }, (_, seed) =>
          JSON.stringify(model.respond(request(prompt(QUESTION), { seed, sampling: { temperature } }))),
        ),
      );
    expect(texts(1).size).toBeGreaterThan(5);
    expect(texts(0).size).toBe(1);
  });

  it("is right as often as hardness and competence say, some always, some never, most in between", () => {
    const expected = { easy: 0.775, medium: 0.6, hard: 0.44, extra: 0.29, unknown: 0.54 };
    const shares: Record<string, number[]> = {};
    const counts = new Set<number>();
    for (let seed = 1; seed <= 4; seed += 1) {
      const model = createSimulatedModel(sample, { competence: 0.6, seed });
      for (const question of sample) {
        const draws = Array.from({ length: 8 }, (_, draw) => isRight(model, question, { seed: draw }));
        const right = draws.filter(Boolean).length;
        counts.add(right);
        (shares[goldHardness(question.example.gold[0] ?? "", question.schema)] ??= []).push(right / 8);
      }
    }
    expect(counts).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    expect(Object.keys(shares).length).toBeGreaterThanOrEqual(3);
    for (const [hardness, list] of Object.entries(shares)) {
      const mean = list.reduce((sum, share) => sum + share, 0) / list.length;
      const wanted = expected[hardness as keyof typeof expected];
      expect(Math.abs(mean - wanted), `${hardness}: ${mean} of ${list.length}`).toBeLessThan(0.12);
    }
  });

  it("lets a name carry its competence, and a better one be right more often", () => {
    const model = createSimulatedModel(sample, { competence: 0.2, competences: { tuned: 0.95 } });
    const right = (name: string) =>
      sample.filter((question) => isRight(model, question, { model: name })).length;
    expect(right("student")).toBeLessThan(right("student@0.6"));
    expect(right("student@0.6")).toBeLessThan(right("tuned"));
    const ambiguous = sample.length - new Set(sample.map(identity)).size;
    expect(ambiguous).toBe(1);
    expect(right("student@1")).toBe(sample.length - ambiguous);
    expect(right("student@0")).toBe(0);
  });

  it("guesses from the tables shown where it does not know the question", () => {
    const model = createSimulatedModel([QUESTION], { competence: 0 });
    const shown = "CREATE TABLE port (\n name TEXT\n);\n\nQuestion:\nWho owns the harbour?";
    const { content } = model.respond(request([{ role: "user", content: shown }]));
    expect(content.toLowerCase()).toContain("select count(*) from port");
    const blank = model.respond(request([{ role: "user", content: "Hello." }]));
    expect(blank.content.toLowerCase()).toContain("select 1");
  });

  it("takes up the examples that share a question by the schema shown", () => {
    const other: KnownQuestion = {
      example: example("2", {
        databaseId: "pens",
        question: QUESTION.example.question,
        gold: ["SELECT ink FROM pen"],
      }),
      schema: {
        databaseId: "pens",
        tables: [
          { name: "pen", comment: "", columns: [{ name: "ink", type: "TEXT", comment: "", primaryKey: 0 }] },
        ],
        foreignKeys: [],
      },
    };
    const model = createSimulatedModel([QUESTION, other], { competence: 1 });
    expect(isRight(model, other, {})).toBe(true);
    expect(isRight(model, QUESTION, {})).toBe(true);
  });
});

describe("the two protocols", () => {
  const model = createSimulatedModel([QUESTION], { competence: 1 });
  const trail = [{ role: "system", content: TRAIL }, ...prompt(QUESTION).slice(1)];

  it("are told apart by the tags that the prompt shows", () => {
    expect(model.respond(request(prompt(QUESTION))).content).toMatch(/^<think>\n.+\n<\/think>\n\n```sql\n/);
    expect(model.respond(request(trail)).content).toMatch(/^<reasoning>\n.+\n<\/reasoning>\n<sql>\n/);
  });

  it("go on from the observations of an episode", () => {
    const messages = [...trail];
    for (let turn = 0; turn < 5; turn += 1) {
      const { content } = model.respond(request(messages));
      if (content.includes("<solution>")) break;
      messages.push({ role: "assistant", content });
      messages.push({ role: "user", content: "<observation>\nname\nTern\n</observation>" });
    }
    const { content } = model.respond(request(messages));
    const solution = /<solution>\n([\s\S]+)\n<\/solution>$/.exec(content)?.[1] ?? "";
    expect(plain(solution)).toBe("select name from boat where seats > 20");
  });

  it("are those of the scaffolds: an episode ends in the gold, whatever seeds its requests have", async () => {
    const plugs = createPlugFinder();
    const scaffold = await plugs.find("scaffold", "sql-trail");
    const options: unknown = scaffold.options.parse({});
    const schemaText = "CREATE TABLE boat (\nname TEXT,\nseats INTEGER\n);";
    const opening = { example: QUESTION.example, database: FERRIES, schemaText, history: [], links: null };
    for (let first = 0; first < 20; first += 1) {
      const messages = [...scaffold.open(opening, options)];
      const state = { turn: 0, turnsLeft: 5, opening, messages };
      let answer: string | null = null;
      for (let turn = 0; turn < 5 && answer === null; turn += 1) {
        const sampling = { stop: scaffold.stops(options) };
        const reply = model.respond(
          request(
            messages.map(({ role, rawText }) => ({ role, content: rawText })),
            { seed: 100 * first + turn, sampling },
          ),
        );
        const { promptTokens, completionTokens } = reply.usage;
        const message = scaffold.read(
          {
            ...reply,
            reasoning: null,
            toolCalls: [],
            usage: { promptTokens, completionTokens, costMicroUsd: null },
            rawExact: false,
            tokenIds: null,
            servedModel: "student",
          },
          options,
        );
        messages.push(message);
        const reaction = scaffold.react(message, state, options);
        if (reaction.kind === "answer") answer = reaction.sql;
        if (reaction.kind !== "act") continue;
        const result = { text: "name\nTern\n[1 row]", ok: true, execution: null };
        const results = reaction.actions.map((action) => ({ action, result }));
        messages.push(...scaffold.observe(results, state, options));
      }
      expect(plain(answer ?? "")).toBe("select name from boat where seats > 20");
    }
  });

  it("end at a stop string, kept where that is asked for", () => {
    const stop = ["</solution>", "</sql>"];
    const whole = model.respond(request(trail));
    const cut = model.respond(request(trail, { sampling: { stop } }));
    const kept = model.respond(request(trail, { sampling: { stop }, keepsStop: true }));
    expect(kept).toEqual(whole);
    expect(`${cut.content}</sql>`).toBe(whole.content);
    expect(cut.finishReason).toBe("stop");
  });
});

describe("DualSQL's protocol", () => {
  it.each([
    ["dualsql-linker", {}, /```json\n\{"boat":\["name","seats"\]\}\n```$/],
    ["dualsql-generator", {}, /<tool_call>\n\{"name":"execute_sql"/],
    ["dualsql-sql", { calls: "native" }, /<tool_call>\n\{"name":"execute_sql"/],
    ["dualsql-sql", { tools: [] }, /```sql\n[\s\S]+\n```$/],
  ])("is told by the prompt: %s %j", async (id, given, expected) => {
    const model = createSimulatedModel([QUESTION], { competence: 1 });
    const scaffold = await createPlugFinder().find("scaffold", id);
    const schemaText = "CREATE TABLE boat (\nname TEXT,\nseats INTEGER\n);";
    const opening = { example: QUESTION.example, database: FERRIES, schemaText, history: [], links: null };
    const messages = scaffold
      .open(opening, scaffold.options.parse(given))
      .map(({ role, rawText }) => ({ role, content: rawText }));
    const tools = [{ name: "execute_sql" }];
    const replies = Array.from({ length: 20 }, (_, seed) =>
      model.respond({ ...request(messages, { seed }), ...("calls" in given ? { tools } : {}) }),
    );
    expect(replies.some(({ content }) => expected.test(content))).toBe(true);
    for (const { content } of replies) expect(content).toMatch(/^<think>\n\[plan \w+\] .+\n<\/think>\n\n/);
  });
});

describe("limits", () => {
  const model = createSimulatedModel([QUESTION], { competence: 1 });

  it("cut at the token limit, a token being four characters", () => {
    const whole = model.respond(request(prompt(QUESTION)));
    const cut = model.respond(request(prompt(QUESTION), { sampling: { maxTokens: 5 } }));
    expect(cut.content).toBe(whole.content.slice(0, 20));
    expect(cut).toMatchObject({ finishReason: "length", usage: { completionTokens: 5 } });
    expect(whole).toMatchObject({
      finishReason: "stop",
      usage: { completionTokens: Math.ceil(whole.content.length / 4) },
    });
  });

  it("count the characters of all messages", () => {
    const messages = [
      { role: "system", content: "abcd" },
      { role: "user", content: "efghi" },
    ];
    expect(model.respond(request(messages)).usage.promptTokens).toBe(3);
  });

  it("end an endless thought, which has finish reason length", () => {
    const never = createSimulatedModel([QUESTION], { competence: 0 });
    const replies = Array.from({ length: 300 }, (_, seed) =>
      never.respond(request(prompt(QUESTION), { seed, sampling: { maxTokens: 300 } })),
    );
    const cut = replies.filter(({ finishReason }) => finishReason === "length");
    expect(cut.length).toBeGreaterThan(0);
    for (const { content, usage } of cut) {
      expect(content).toHaveLength(1200);
      expect(usage.completionTokens).toBe(300);
      expect(content).not.toContain("</think>");
    }
  });
});

describe("competenceOf", () => {
  it("takes the exact name, then the name's ending, then the default", () => {
    const options = { competence: 0.3, competences: { "a@0.5": 0.9 } };
    expect(competenceOf("a@0.5", options)).toBe(0.9);
    expect(competenceOf("b@0.5", options)).toBe(0.5);
    expect(competenceOf("b@1", options)).toBe(1);
    expect(competenceOf("b@1.5", options)).toBe(0.3);
    expect(competenceOf("b", options)).toBe(0.3);
  });
});
