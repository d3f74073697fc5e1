import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";

/** How many questions, and answers to each. */
export interface LargeRunSize {
  readonly questions: number;
  readonly answers: number;
}

const HARDNESS = ["easy", "medium", "hard", "extra"];
const MODEL = { name: "student", revision: "7" };
const NO_DIGEST = { groups: {} };

/** 32 hexadecimal digits. */
function id(kind: number, question: number, answer = 0): string {
  return [kind, question, answer, 0].map((part) => part.toString(16).padStart(8, "0")).join("");
}

/** 64 hexadecimal digits that name a port. */
function digest(name: string): string {
  return Buffer.from(name).toString("hex").padEnd(64, "0").slice(0, 64);
}

function isRight(question: number, answer: number): boolean {
  return (question * 7 + answer * 3) % 10 < 10 - (question % 4) * 2;
}

function message(role: string, origin: string, rawText: string): unknown {
  const isSampled = origin === "sampled";
  const toolCalls = isSampled
    ? [{ id: "c", name: "execute_sql", argumentsRaw: rawText, arguments: { sql: rawText } }]
    : [];
  return {
    role,
    origin,
    rawText,
    rawExact: false,
    reasoning: null,
    content: rawText,
    toolCalls,
    toolCallId: null,
    train: isSampled,
    weight: isSampled ? 1 : 0,
    trainReason: "",
  };
}

function exampleRow(question: number): unknown {
  return {
    id: id(1, question),
    dataset: { name: "spider", release: "1.0", split: "train" },
    sourceId: String(question),
    databaseId: `shop_${question % 140}`,
    question: `How many orders has customer ${question} placed?`,
    evidence: null,
    history: [],
    dialogue: { id: String(question >> 2), turn: question % 4, turns: 4 },
    gold: [`SELECT count(*) FROM orders WHERE customer_id = ${question}`],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
  };
}

function goldRow(question: number): unknown {
  const label = HARDNESS[question % 4] ?? "";
  const labels = { "spider-hardness": { status: "scored", label } };
  return {
    exampleId: id(1, question),
    databaseId: `shop_${question % 140}`,
    executions: null,
    reason: "ok",
    message: "",
    labels,
  };
}

function sampleRow(question: number, answer: number): unknown {
  return {
    trajectoryId: id(2, question, answer),
    exampleId: id(1, question),
    sampleIndex: answer,
    round: 0,
    model: MODEL,
    setting: "sql-trail",
    simulated: false,
    execution: null,
    verdicts: { "bird-ex": { status: "scored", score: isRight(question, answer) ? 1 : 0 } },
  };
}

function trajectoryRow(question: number, answer: number): unknown {
  const sql = `SELECT count(*) FROM orders WHERE customer_id = ${question}`;
  return {
    id: id(2, question, answer),
    exampleId: id(1, question),
    sampleIndex: answer,
    round: 0,
    model: MODEL,
    scaffold: { id: "sql-trail", version: 1, options: {} },
    source: "sampled",
    pastThoughts: "kept",
    messages: [
      message("system", "given", "Answer with SQL. <script>alert(1)</script> ".repeat(10)),
      message("user", "given", "CREATE TABLE orders (order_id INTEGER, customer_id INTEGER);\n".repeat(10)),
      message("assistant", "sampled", sql),
      message("user", "environment", answer % 5 === 0 ? "Error: no such column: customer" : "count(*)\n3"),
      message("assistant", "sampled", sql),
    ],
    finalSql: sql,
    stopReason: "answered",
    usage: { promptTokens: 1200 + question, completionTokens: 90, costMicroUsd: 250 },
    seed: answer,
  };
}

function rateRow(question: number, answers: number): unknown {
  const c = Array.from({ length: answers }, (_, answer) => isRight(question, answer)).filter(Boolean).length;
  return {
    exampleId: id(1, question),
    model: MODEL,
    setting: "sql-trail",
    metric: "bird-ex",
    n: answers,
    c,
    unscored: {},
    stopRule: "complete",
    simulated: false,
  };
}

/**
 * Writes a run as finished steps leave it: loaded questions, sampled and judged answers, rates, and rewards. Every
 * score follows from the numbers of question and answer.
 */
export async function writeLargeRun(runFolder: string, { questions, answers }: LargeRunSize): Promise<void> {
  const latest: Record<string, string> = {};
  const all = questions * answers;
  const step = async (
    name: string,
    inputs: Readonly<Record<string, string>>,
    ports: Readonly<Record<string, { readonly rows: number; readonly row: (index: number) => unknown }>>,
  ): Promise<void> => {
    const key = digest(`key ${name}`);
    latest[name] = key;
    const folder = path.join(runFolder, "artifacts", name, key);
    mkdirSync(folder, { recursive: true });
    const outputs: Record<string, unknown> = {};
    for (const [port, { rows, row }] of Object.entries(ports)) {
      outputs[port] = { ...NO_DIGEST, rows, digest: digest(`${name} ${port}`) };
      const stream = createWriteStream(path.join(folder, `${port}.jsonl`));
      for (let index = 0; index < rows; index += 1) {
        if (!stream.write(`${JSON.stringify(row(index))}\n`)) await once(stream, "drain");
      }
      stream.end();
      await once(stream, "close");
    }
    const digests = Object.fromEntries(Object.entries(inputs).map(([port, from]) => [port, digest(from)]));
    const manifest = {
      gradus: 1,
      stage: name,
      version: 1,
      key,
      seed: 1,
      options: {},
      plugs: [],
      inputs: digests,
      sources: [],
      outputs,
      files: [],
    };
    writeFileSync(path.join(folder, "manifest.json"), JSON.stringify(manifest));
  };
  const each =
    <T>(make: (question: number, answer: number) => T) =>
    (index: number): T =>
      make(Math.floor(index / answers), index % answers);
  const examples = "load examples";
  await step(
    "load",
    {},
    { examples: { rows: questions, row: exampleRow }, rejects: { rows: 0, row: () => null } },
  );
  await step("sample", { examples }, { trajectories: { rows: all, row: each(trajectoryRow) } });
  await step(
    "score",
    { examples, trajectories: "sample trajectories" },
    {
      golds: { rows: questions, row: goldRow },
      samples: { rows: all, row: each(sampleRow) },
    },
  );
  await step(
    "rates",
    { examples, samples: "score samples" },
    { rates: { rows: questions, row: (index) => rateRow(index, answers) } },
  );
  await step(
    "rewards",
    { samples: "score samples" },
    {
      rewards: {
        rows: all,
        row: each((question, answer) => ({
          trajectoryId: id(2, question, answer),
          total: isRight(question, answer) ? 1 : 0,
          terms: { execution: isRight(question, answer) ? 1 : 0, length: -(answer / 100) },
        })),
      },
    },
  );
  writeFileSync(path.join(runFolder, "latest.json"), JSON.stringify(latest));
  writeFileSync(path.join(runFolder, "recipe.lock.json"), JSON.stringify({ command: "sample", seed: 1 }));
  const rounds = [
    { round: 1, examples: questions, covered: Math.floor(questions / 2), trajectories: questions },
  ];
  writeFileSync(path.join(runFolder, "rounds.json"), JSON.stringify({ rounds }));
}
