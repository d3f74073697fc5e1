import { createServer, request as httpRequest, type Server } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess, PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { digestsBelow, portRows, type RawRow } from "./raw-run.ts";
import { SimulatedServer } from "./sampling-run.ts";

const SAMPLE = path.join(PROJECT_ROOT, "datasets/sample");
const NAME = "mtsql-r1";

/** The parts of the recipe that the tests change. */
interface Recipe {
  readonly models: object;
  readonly answers: { readonly rollouts: { samples: number }[] };
  readonly rounds: object;
  readonly trainer: object;
}

/** The recipe as it stands, with changes to its parts. */
function recipe(change: (config: Recipe) => void = () => undefined): string {
  const config = parse(readFileSync(path.join(PROJECT_ROOT, "configs", `${NAME}.yaml`), "utf8")) as Recipe;
  change(config);
  return JSON.stringify(config);
}

/** A question of the sample dialogues, read by nothing but their file. */
interface Asked {
  readonly databaseId: string;
  /** The questions up to this one. */
  readonly utterances: readonly string[];
  readonly gold: string;
}

function askedQuestions(): Asked[] {
  const file = path.join(SAMPLE, "cosql/sql_state_tracking/cosql_train.json");
  const dialogues = JSON.parse(readFileSync(file, "utf8")) as {
    readonly database_id: string;
    readonly interaction: readonly { readonly utterance: string; readonly query: string }[];
  }[];
  return dialogues.flatMap(({ database_id: databaseId, interaction }) =>
    interaction.map(({ query }, turn) => ({
      databaseId,
      utterances: interaction.slice(0, turn + 1).map(({ utterance }) => utterance),
      gold: query,
    })),
  );
}

/** What passed through: the messages of a request, and the text that came back. */
interface Exchange {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly reply: string;
}

/** A server between gradus and the simulated model that writes down what passes. */
async function loggingServer(target: string, log: Exchange[]): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const to = new URL(`${target.replace(/\/v1$/, "")}${incoming.url ?? ""}`);
      const forwarded = httpRequest(
        to,
        { method: incoming.method, headers: incoming.headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            const text = Buffer.concat(parts);
            if (incoming.url?.endsWith("/chat/completions") === true && response.statusCode === 200) {
              const { model, messages } = JSON.parse(body.toString("utf8")) as Omit<Exchange, "reply">;
              const reply = JSON.parse(text.toString("utf8")) as {
                choices: { message: { content: string } }[];
              };
              log.push({ model, messages, reply: reply.choices[0]?.message.content ?? "" });
            }
            outgoing.writeHead(response.statusCode ?? 500, response.headers);
            outgoing.end(text);
          });
        },
      );
      forwarded.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server };
}

/** The questions that got a right answer, by the log alone, in the order of the dialogues; with the models that gave it. */
function coveredByLog(log: readonly Exchange[]): Set<string> {
  const questions = askedQuestions();
  const databases = new Map<string, Sqlite.Database>();
  const covered = new Set<string>();
  for (const { messages, reply } of log) {
    const answer = /<final_answer>\s*([\s\S]*?)\s*<\/final_answer>/.exec(reply)?.[1];
    const said = messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
    const ran = said.flatMap((text) =>
      [...text.matchAll(/<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g)].map(([, call = ""]) => call),
    );
    const wasRun = ran.some((call) => {
      const { name, arguments: given } = JSON.parse(call) as { name: string; arguments: { code: string } };
      return name === "exec_sql" && given.code === answer;
    });
    if (answer === undefined || !wasRun || !/_check>pass</.test(reply)) continue;
    const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
    const question = questions
      .filter(
        ({ utterances }) =>
          utterances.every((text) => prompt.includes(text)) &&
          prompt.trimEnd().endsWith(utterances.at(-1) ?? ""),
      )
      .sort((left, right) => right.utterances.length - left.utterances.length)[0];
    if (question === undefined) throw new Error(`no question ends this prompt: ${prompt.slice(-200)}`);
    if (!databases.has(question.databaseId)) {
      const made = new Sqlite(":memory:");
      made.exec(readFileSync(path.join(SAMPLE, "databases", `${question.databaseId}.sql`), "utf8"));
      databases.set(question.databaseId, made);
    }
    const database = databases.get(question.databaseId) as Sqlite.Database;
    if (sameResult(database, question.gold, answer) && form(question.gold) === form(answer)) {
      covered.add(question.utterances.join("\n"));
    }
  }
  return covered;
}

function sameResult(database: Sqlite.Database, gold: string, answer: string): boolean {
  const rows = (sql: string): string[] => {
    const found = database.prepare(sql).raw().all() as unknown[][];
    const lines = found.map((row) => JSON.stringify(row));
    return /order\s+by/i.test(gold) ? lines : lines.sort();
  };
  try {
    return JSON.stringify(rows(gold)) === JSON.stringify(rows(answer));
  } catch {
    return false;
  }
}

/** A query but for its values, case and white space. */
function form(sql: string): string {
  const masked = sql.replace(/'[^']*'|"[^"]*"|\b\d+(?:\.\d+)?\b/g, "?").toLowerCase();
  return masked
    .replace(/\s*([(),=<>*])\s*/g, "$1")
    .replace(/[\s;]+/g, " ")
    .trim();
}

function exampleOf(row: RawRow): string {
  const { question, history } = row["example"] as { question: string; history: { question: string }[] };
  return [...history.map((turn) => turn.question), question].join("\n");
}

describe("self-taught rounds", () => {
  it("cover what the server's log says, three rounds long, with at most three trajectories a question", async () => {
    const dataset = [{ loader: "cosql", root: "sample:cosql", split: "train", license: "CC0-1.0" }];
    const simulated = await SimulatedServer.startOn({ config: { datasets: dataset } });
    const log: Exchange[] = [];
    const { url, server } = await loggingServer(simulated.baseUrl, log);
    try {
      const folder = await temporaryFolder();
      const served = { provider: "openai", name: "simulated-student@0.6", revision: "1" };
      const changed = recipe((config) => {
        Object.assign(config.models, { student: { ...served, client: { baseUrl: url } } });
      });
      writeFileSync(path.join(folder, "run.json"), changed);
      const run = await runGradus(["run", "run.json", "--quiet"], { cwd: folder });
      expect(run.status, run.stderr).toBe(0);
      const all = await runGradus(["round", NAME, "--all", "--json"], { cwd: folder });
      expect(all.status, all.stderr).toBe(0);
      const { rounds } = JSON.parse(all.stdout) as {
        rounds: { covered: number; trajectories: number; examples: number }[];
      };
      expect(rounds).toHaveLength(3);
      expect([...new Set(log.map(({ model }) => model))]).toHaveLength(3);

      const last = path.join(folder, "runs", NAME, "rounds/3");
      const rows = portRows(last, "rows-sft", "rows");
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(exampleOf(row), (counts.get(exampleOf(row)) ?? 0) + 1);
      expect([...counts.keys()].sort()).toEqual([...coveredByLog(log)].sort());
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(3);
      expect(rounds.at(-1)).toMatchObject({
        covered: counts.size,
        trajectories: rows.length,
        examples: askedQuestions().length,
      });
      const covered = rounds.map((round) => round.covered);
      expect([...covered].sort((left, right) => left - right)).toEqual(covered);
      const kept = rows.map((row) => row["trajectory"] as { model: { revision: string }; id: string });
      expect(new Set(kept.map(({ id }) => id)).size).toBe(rows.length);
      expect(new Set(kept.map(({ model }) => model.revision)).size).toBeGreaterThan(1);
    } finally {
      server.closeAllConnections();
      server.close();
      await simulated.stop();
    }
  });

  it("are the same after kills in every stage, and at any concurrency", async () => {
    const small = (concurrency: number) =>
      recipe((config) => {
        const { rollouts } = config.answers;
        for (const rollout of rollouts) rollout.samples = 6;
        Object.assign(config.answers, { concurrency });
        Object.assign(config.rounds, { max: 2 });
      });
    const whole = await temporaryFolder({ "run.json": small(64) });
    for (const args of [
      ["run", "run.json", "--quiet"],
      ["round", NAME, "--quiet"],
    ]) {
      const finished = await runGradus(args, { cwd: whole });
      expect(finished.status, finished.stderr).toBe(0);
    }
    const killed = await temporaryFolder({ "run.json": small(5) });
    for (const said of [
      "sample: started",
      "reject: started",
      "embed: started",
      "cluster: started",
      "export-messages-sft: started",
    ]) {
      await killWhen(["run", "run.json"], said, killed);
    }
    expect((await runGradus(["run", "run.json", "--quiet"], { cwd: killed })).status).toBe(0);
    for (const said of [
      "training after round 1",
      "sample: started",
      "select: started",
      "rows-sft: started",
      "quality-sft: started",
    ]) {
      await killWhen(["round", NAME], said, killed);
    }
    const ended = await runGradus(["round", NAME, "--quiet"], { cwd: killed });
    expect(ended.status, ended.stderr).toBe(0);
    for (const part of ["shards", "quality", "rounds/2/shards", "rounds/2/quality", "rounds/2/model.json"]) {
      const [left, right] = [whole, killed].map((folder) => path.join(folder, "runs", NAME, part));
      if (part.endsWith(".json"))
        expect(readFileSync(right ?? "", "utf8")).toBe(readFileSync(left ?? "", "utf8"));
      else expect(digestsBelow(right ?? "")).toEqual(digestsBelow(left ?? ""));
    }
  });

  it("go on by hand, and end with Ctrl-C while something trains", async () => {
    const slow = recipe((config) => {
      const { rollouts } = config.answers;
      for (const rollout of rollouts) rollout.samples = 3;
      Object.assign(config.trainer, { command: ["sleep", "60"] });
    });
    const folder = await temporaryFolder({ "run.json": slow });
    expect((await runGradus(["run", "run.json", "--quiet"], { cwd: folder })).status).toBe(0);
    const training = new GradusProcess(["round", NAME], { cwd: folder });
    await training.says("training after round 1");
    await new Promise((resolve) => setTimeout(resolve, 500));
    training.kill("SIGINT");
    expect((await training.finished).status).toBe(130);
    const pid = Number(readFileSync(path.join(folder, "runs", NAME, "rounds/2/training/pid"), "utf8"));
    // One that nobody has waited for is still listed.
    expect(stateOf(pid)).toMatch(/^(gone|Z)$/);

    const same = await runGradus(["round", NAME, "--revision", "1", "--quiet"], { cwd: folder });
    expect(same.stderr).toContain("ROUND_MODEL_SAME");
    const round = await runGradus(
      ["round", NAME, "--revision", "step-900", "--competence", "0.9", "--json"],
      { cwd: folder },
    );
    expect(round.status, round.stderr).toBe(0);
    const { rounds } = JSON.parse(round.stdout) as { rounds: { revision: string | null }[] };
    expect(rounds.map(({ revision }) => revision)).toEqual([null, "step-900"]);
  });
});

/** `gone`, or the letter of its state: `Z` has ended. */
function stateOf(pid: number): string {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.charAt(stat.lastIndexOf(")") + 2);
  } catch (thrown) {
    return /ESRCH/.test(String(thrown)) ? "gone" : String(thrown);
  }
}

/** Starts gradus and kills it at once when it says something; it may have ended before. */
async function killWhen(args: readonly string[], said: string, cwd: string): Promise<void> {
  const process = new GradusProcess([...args], { cwd });
  await process.says(said);
  process.kill("SIGKILL");
  await process.finished;
}
