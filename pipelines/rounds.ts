import path from "node:path";
import { fileURLToPath } from "node:url";
import { GradusError } from "../core/errors.ts";
import { readText } from "../io/files.ts";
import { lockRun } from "../io/run-lock.ts";
import { runTrainer } from "../io/trainer-process.ts";
import type { ModelRole, RunConfig } from "./config.ts";
import { createPlugFinder } from "./plugs.ts";
import { readLatest } from "./run-folder.ts";
import { type RunOptions, type RunSummary, runTrainingSet } from "./run-training-set.ts";
import { roundFolder, roundTable, type RoundRow } from "./rounds-table.ts";
import type { CarriedRound } from "./self-taught-steps.ts";
import {
  readRoundModel,
  readTrainedModel,
  type TrainedModel,
  withCheckpoint,
  writeRoundModel,
} from "./trained-model.ts";

/** What a person asked of the rounds of a run. */
export interface RoundRequest {
  readonly config: RunConfig;
  readonly options: RunOptions;
  /** The next checkpoint, where it was trained by hand; `null` starts the trainer. */
  readonly model: TrainedModel | null;
  /** Whether to go on to the last round. */
  readonly all: boolean;
}

/** The rounds as they stand. */
export interface RoundsSummary {
  readonly name: string;
  readonly rounds: readonly RoundRow[];
  /** Of the rounds that this call worked on. */
  readonly runs: readonly RunSummary[];
  /** Why no further round is due; `null` where one is. */
  readonly ended: string | null;
}

/**
 * Goes on with the rounds of a run: finishes the latest one where it is not done, else trains and takes the next,
 * whose questions are those that no round before it covered. Every part can be killed and goes on from what is there.
 * @throws RUN_LOCKED, ROUND_MODEL_NEEDED, ROUND_MODEL_SAME, ROUND_STRATEGY, TRAINER_FAILED and its like, and what a run throws.
 */
export async function continueRounds(request: RoundRequest): Promise<RoundsSummary> {
  const { config, options } = request;
  if (config.sft.strategy !== "self-taught") throw notSelfTaught(config.name);
  const base = path.join(options.roots.runsFolder, config.name);
  const lock = await lockRun(
    path.join(base, "rounds"),
    `process ${process.pid} (gradus round ${config.name})`,
  );
  const runs: RunSummary[] = [];
  try {
    let { model } = request;
    for (;;) {
      options.signal.throwIfAborted();
      const latest = await latestRound(base);
      const isDone = await isFinished(request, base, latest);
      if (isDone) {
        const ended = await whyEnded(request, base, latest);
        if (ended !== null || (runs.length > 0 && !request.all)) {
          return { name: config.name, rounds: await roundTable(base), runs, ended };
        }
        await settleModel(request, { base, round: latest, given: model });
        model = null;
        runs.push(await runRound(request, base, latest + 1));
      } else {
        runs.push(await runRound(request, base, latest));
      }
    }
  } finally {
    lock.release();
  }
}

/** The last round whose model is settled; the first one's is the config's. */
async function latestRound(base: string): Promise<number> {
  let round = 1;
  while ((await readRoundModel(roundFolder(base, round + 1))) !== null) round += 1;
  return round;
}

/** Whether every step of a round was made; of the first round `gradus run` made them. */
async function isFinished({ config }: RoundRequest, base: string, round: number): Promise<boolean> {
  const latest = await readLatest(roundFolder(base, round));
  const exporters = round === 1 ? config.export.exporters : await sftExporters(config);
  return ["quality-sft", ...exporters.map((id) => `export-${id}`)].every((step) => step in latest);
}

async function whyEnded({ config }: RoundRequest, base: string, latest: number): Promise<string | null> {
  if (latest >= config.rounds.max) return `round ${latest} was the last of ${config.rounds.max}`;
  const rows = await roundTable(base);
  const last = rows.at(-1);
  return last !== undefined && last.covered === last.examples ? "every question is covered" : null;
}

interface Settling {
  readonly base: string;
  /** The round that was finished. */
  readonly round: number;
  readonly given: TrainedModel | null;
}

/** Finds the model of the next round: given by hand, or made by the trainer. */
async function settleModel(request: RoundRequest, { base, round, given }: Settling): Promise<void> {
  const next = roundFolder(base, round + 1);
  const role = await roleOf(request.config, base, round);
  const model = given ?? (await train(request, { base, round, role }));
  if (model.revision === role.revision) {
    throw new GradusError(
      "ROUND_MODEL_SAME",
      `the model of round ${round + 1} has the revision "${model.revision}" of round ${round}, expected another: samples are told apart by it`,
      { hint: 'name the new checkpoint: --revision, or "revision" in what the trainer prints' },
    );
  }
  await writeRoundModel(next, model);
}

async function roleOf(config: RunConfig, base: string, round: number): Promise<ModelRole> {
  const role = config.models[config.rounds.role];
  if (role === undefined) {
    throw new GradusError(
      "MODEL_ROLE_UNKNOWN",
      `rounds.role is "${config.rounds.role}", which models does not have`,
      {
        hint: "name the role of the model that is trained",
      },
    );
  }
  const model = round === 1 ? null : await readRoundModel(roundFolder(base, round));
  return model === null ? role : withCheckpoint(role, model);
}

async function train(
  { config, options }: RoundRequest,
  { base, round, role }: { readonly base: string; readonly round: number; readonly role: ModelRole },
): Promise<TrainedModel> {
  const { trainer } = config;
  if (trainer === null) {
    throw new GradusError(
      "ROUND_MODEL_NEEDED",
      `round ${round + 1} needs a model trained on the shards of round ${round}`,
      {
        hint: `train on ${path.join(roundFolder(base, round), "shards")}, then: gradus round ${config.name} --revision <checkpoint> [--model-url <address>]; or give the config a trainer`,
      },
    );
  }
  const folder = path.resolve(roundFolder(base, round + 1), "training");
  const environment = {
    GRADUS_RUN: config.name,
    GRADUS_ROUND: String(round),
    GRADUS_SHARDS: path.resolve(roundFolder(base, round), "shards"),
    GRADUS_OUTPUT: folder,
    GRADUS_MODEL_NAME: role.name,
    GRADUS_MODEL_REVISION: role.revision,
    ...(role.provider === "simulated" ? { GRADUS_MODEL_COMPETENCE: String(role.competence) } : {}),
  };
  options.reporter.stepStarted(`training after round ${round}`, []);
  const output = await runTrainer({
    command: programOf(trainer.command),
    folder,
    environment,
    timeoutMs: trainer.timeoutMinutes * 60_000,
    signal: options.signal,
    onStarted: (pid, isFound) => {
      if (isFound) options.reporter.warn("trainer", `process ${pid} is still training: watching it`);
    },
  });
  if (trainer.result === null) return readTrainedModel(output, path.join(folder, "stdout.log"));
  const file = path.resolve(folder, trainer.result);
  return readTrainedModel(await readText(file), file);
}

/** `gradus` as first word is this program, wherever it is installed. */
function programOf(command: readonly string[]): string[] {
  if (command[0] !== "gradus") return [...command];
  const here = fileURLToPath(import.meta.url);
  const main = path.join(path.dirname(here), "cli", `main${path.extname(here)}`);
  return [process.execPath, main, ...command.slice(1)];
}

async function runRound({ config, options }: RoundRequest, base: string, round: number): Promise<RunSummary> {
  if (round === 1) return runTrainingSet(config, options);
  const role = await roleOf(config, base, round);
  const exporters = await sftExporters(config);
  const changed: RunConfig = {
    ...config,
    models: { ...config.models, [config.rounds.role]: role },
    answers: { ...config.answers, round: config.answers.round + round - 1 },
    export: { ...config.export, exporters },
  };
  const folder = roundFolder(base, round);
  return runTrainingSet(changed, { ...options, round: { folder, carried: await carriedInto(base, round) } });
}

/** Later rounds make SFT rows alone: the set for reinforcement learning is made of all questions, with the last model. */
async function sftExporters(config: RunConfig): Promise<string[]> {
  const plugs = createPlugFinder();
  const kept: string[] = [];
  for (const id of config.export.exporters) {
    if ((await plugs.find("exporter", id)).set === "sft") kept.push(id);
  }
  return kept;
}

async function carriedInto(base: string, round: number): Promise<CarriedRound> {
  const fileOf = async (of: number, step: string, port: string): Promise<string> => {
    const folder = roundFolder(base, of);
    const key = (await readLatest(folder))[step] ?? "";
    return path.join(folder, "artifacts", step, key, `${port}.jsonl`);
  };
  return {
    rowsFile: await fileOf(round - 1, "rows-sft", "rows"),
    splitFile: await fileOf(1, "split-sft", "examples"),
  };
}

function notSelfTaught(name: string): GradusError {
  return new GradusError("ROUND_STRATEGY", `the run ${name} has no rounds: its sft.strategy is "select"`, {
    hint: "set sft.strategy to self-taught in the config, as configs/mtsql-r1.yaml does, and run it",
  });
}
