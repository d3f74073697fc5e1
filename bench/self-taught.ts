import { SeededRandom } from "../core/random.ts";
import { ClusteredTrajectory, EmbeddedTrajectory, TaughtCandidate } from "../core/self-taught.ts";
import { PassedOverTrajectory } from "../core/rows.ts";
import type { Rows, Stage } from "../core/stage.ts";
import type { Message, Trajectory } from "../core/trajectory.ts";
import { scored } from "../core/verdict.ts";
import { clusterStage } from "../embeddings/cluster.ts";
import { embedStage } from "../embeddings/embed.ts";
import { selectTaughtStage } from "../embeddings/select.ts";
import { makeScratchFolder } from "../io/scratch-folder.ts";
import { remove } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { rejectStage } from "../synth/reject.ts";
import { example, sample, split, trajectory } from "../test/curation/sample-rows.ts";
import { rowsOf } from "../test/fakes/run-stage.ts";
import type { Measured } from "./measured.ts";
import { fileRows, runToFiles } from "./stage-files.ts";

const SAMPLES = 20;
const SIZES = [2_500, 5_000, 10_000, 20_000];
const SHORT_SIZES = [100, 200];
const TABLES = ["ports", "vessels", "routes", "sailings", "fares", "crew_members"];
const COLUMNS = ["name", "island", "berths", "built_year", "status", "distance_km", "passengers"];

/**
 * Time and peak memory of rejecting, embedding, clustering and selecting 20 rollouts of each question, all of them
 * hard and half of the rollouts right, at growing numbers of questions; rows go through files, as in a run.
 */
export async function benchSelfTaught(short: boolean): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const questions of short ? SHORT_SIZES : SIZES) {
    const began = performance.now();
    const selected = await selectFrom(questions);
    const seconds = (performance.now() - began) / 1_000;
    const peak = process.resourceUsage().maxRSS / 1_024;
    const value = `${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MB, ${selected} selected`;
    measured.push({ name: `self-taught, ${questions} questions of ${SAMPLES} rollouts`, value });
    process.stderr.write(`${questions}: ${value}\n`);
  }
  return measured;
}

async function selectFrom(questions: number): Promise<number> {
  const folder = makeScratchFolder("bench-self-taught");
  const names = Array.from({ length: questions }, (_, index) => `q${index}-`);
  const each = <T>(make: (name: string, index: number) => Iterable<T>): Rows<T> =>
    async function* () {
      for (const [index, name] of names.entries())
        for (const row of make(name, index)) yield await Promise.resolve(row);
    };
  const trajectories = each((name) => rolloutsOf(name));
  try {
    const write = (stage: unknown, inputs: Record<string, Rows<unknown>>, options: unknown) =>
      runToFiles(stage as Stage, { inputs, options, folder });
    const rejected = await write(
      rejectStage,
      {
        examples: each((name) => [example(name)]),
        databases: rowsOf([]),
        kept: each((name, index) => [{ ...split(name, index), hardness: "hard" }]),
        prompts: rowsOf([]),
        samples: each((name) =>
          Array.from({ length: SAMPLES }, (_, index) => sample(name, index, scored(index % 2))),
        ),
        trajectories,
      },
      { metrics: ["bird-ex"], hard: { minInteractions: 1 } },
    );
    const candidates = fileRows(rejected["candidates"], TaughtCandidate);
    const embedded = await write(embedStage, { candidates, trajectories }, {});
    const clustered = await write(
      clusterStage,
      { embedded: fileRows(embedded["embedded"], EmbeddedTrajectory) },
      {},
    );
    const chosen = await write(
      selectTaughtStage,
      {
        candidates,
        clustered: fileRows(clustered["clustered"], ClusteredTrajectory),
        passedOver: fileRows(rejected["passedOver"], PassedOverTrajectory),
      },
      {},
    );
    let selected = 0;
    for await (const _ of readJsonLines(chosen["selected"] ?? "")) selected += 1;
    return selected;
  } finally {
    await remove(folder);
  }
}

/** Twenty rollouts of a question: one to three queries each, drawn from a few that differ in table, column and value. */
function rolloutsOf(name: string): Trajectory[] {
  return Array.from({ length: SAMPLES }, (_, index) => {
    const random = new SeededRandom(1, "bench rollout", name, index);
    const queries = Array.from({ length: 1 + random.integer(3) }, () => {
      const [table, column, other] = [random.pick(TABLES), random.pick(COLUMNS), random.pick(COLUMNS)];
      return `SELECT ${column}, count(*) FROM ${table} AS T1 JOIN ports AS T2 ON T1.port_id = T2.port_id WHERE T2.${other} > ${random.integer(9)} GROUP BY ${column}`;
    });
    const messages = queries.flatMap((sql, turn): Message[] => [
      reply(`<think>Try number ${turn}.</think><tool_call>${sql}</tool_call>`, sql, turn),
      { ...reply("Outcome: result\n1 row", "", turn), role: "user", origin: "environment", toolCalls: [] },
    ]);
    const finalSql = queries.at(-1) ?? null;
    return trajectory(name, index, finalSql, { messages: [...messages, reply(finalSql ?? "", "", 9)] });
  });
}

function reply(text: string, sql: string, turn: number): Message {
  const call = {
    id: `call_${turn}`,
    name: "exec_sql",
    argumentsRaw: JSON.stringify({ code: sql }),
    arguments: { code: sql },
  };
  return {
    role: "assistant",
    origin: "sampled",
    rawText: text,
    rawExact: false,
    reasoning: null,
    content: text,
    toolCalls: sql === "" ? [] : [call],
    toolCallId: null,
    train: true,
    weight: 1,
    trainReason: "sampled",
  };
}
