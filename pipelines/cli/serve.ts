import path from "node:path";
import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { createSimulatedModel } from "../../synth/simulated/respond.ts";
import { interruptSignal } from "../interrupt.ts";
import { createPlugFinder } from "../plugs.ts";
import { readRunConfig } from "../run-training-set.ts";
import type { RunningServer } from "../serve/chat-server.ts";
import { FAULT_KINDS, type FaultKind, type FaultOptions } from "../serve/faults.ts";
import { loadQuestions } from "../serve/load-questions.ts";
import { registerServices } from "../serve/service-commands.ts";
import { SIMULATED_MODEL_NAME } from "../model-source.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  pathRoots,
  printText,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface SimulatedOptions extends CommonOptions {
  readonly config: string;
  readonly port?: string;
  readonly model?: string;
  readonly competence: string;
  readonly seed?: string;
  readonly log?: string;
  readonly delay?: string;
  readonly delaySpread?: string;
  readonly faults?: string;
  readonly faultKinds?: string;
  readonly faultSeed?: string;
}

interface ReplayOptions {
  readonly file: string;
  readonly port?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `gradus serve`: tools, rewards and episodes for trainers, and chat completions on this machine alone. */
const command: CliCommand = {
  register: (program) => {
    const serve = program
      .command("serve")
      .description(
        "serve tools, rewards and whole episodes to trainers; or chat completions, simulated or recorded",
      )
      .addHelpText(
        "after",
        "\nExample:\n  gradus serve simulated --config configs/quickstart.yaml --port 8000\n  gradus serve replay --file recorded.jsonl",
      );
    registerSimulated(serve);
    registerReplay(serve);
    registerServices(serve, runUntilStopped);
  },
};

function registerSimulated(serve: Command): void {
  withCommonOptions(
    serve
      .command("simulated")
      .description("answer the questions of a config's datasets from their golds, more or less well")
      .requiredOption("--config <file>", "config whose datasets it knows")
      .option("--port <n>", "port on 127.0.0.1 (default: a free one)")
      .option(
        "--model <names>",
        `names to list, separated by commas; any name is answered (default: ${SIMULATED_MODEL_NAME})`,
      )
      .option(
        "--competence <share>",
        "mean share of right answers on questions of medium hardness, for names without one of their own (student@0.8)",
        "0.6",
      )
      .option(
        "--seed <n>",
        "decides which questions are always, sometimes and never right (default: the config's)",
      )
      .option("--log <file>", "append a line of JSON for each request, before it is answered")
      .option("--delay <ms>", "how long each reply takes at least")
      .option("--delay-spread <ms>", "what is added at most, by request, so that replies overtake each other")
      .option("--faults <share>", "share of requests that fail; a retry succeeds in the end")
      .option("--fault-kinds <kinds>", `of ${FAULT_KINDS.join(", ")}`)
      .option("--fault-seed <n>", "decides which requests fail (default: 1)"),
  )
    .addHelpText(
      "after",
      "\nAnswers are made from gold: good for trying out a pipeline, not for training.\n\nExample:\n  gradus serve simulated --config configs/quickstart.yaml --port 8000 --log requests.jsonl\n  gradus serve simulated --config configs/quickstart.yaml --competence 0.8 --faults 0.05",
    )
    .action(serveSimulated);
}

function registerReplay(serve: Command): void {
  serve
    .command("replay")
    .description("answer recorded requests with their recorded replies, others with 404")
    .requiredOption("--file <file>", "recording, JSON Lines")
    .option("--port <n>", "port on 127.0.0.1 (default: a free one)")
    .option("--json", "the address as one JSON document")
    .option("--quiet", "do not say that it stops")
    .addHelpText(
      "after",
      '\nA line is {"requestHash": "<64 hexadecimal digits>", "reply": {"content": "…"}}, or has the body of the\nrequest as "request" in place of its hash. Several replies to one request are given in order.\n\nExample:\n  gradus serve replay --file recorded.jsonl --port 8000',
    )
    .action(serveReplay);
}

async function serveSimulated(options: SimulatedOptions): Promise<void> {
  const port = portOption(options.port);
  const competence = shareOption("--competence", options.competence);
  const faults = faultOptions(options);
  const delayMs = options.delay === undefined ? 0 : wholeNumber("--delay", options.delay, 0);
  const delaySpreadMs =
    options.delaySpread === undefined ? 0 : wholeNumber("--delay-spread", options.delaySpread, 0);
  const models = options.model === undefined ? [SIMULATED_MODEL_NAME] : listOption("--model", options.model);
  const config = await readRunConfig(options.config);
  const roots = pathRoots(options, path.dirname(options.config));
  const questions = await loadQuestions(config.datasets, createPlugFinder(), roots);
  const seed = options.seed === undefined ? config.seed : wholeNumber("--seed", options.seed, 0);
  const model = createSimulatedModel(questions, { competence, seed });
  const { startSimulatedServer } = await import("../serve/simulated-server.ts");
  const server = await startSimulatedServer({
    model,
    models,
    port,
    delayMs,
    delaySpreadMs,
    log: options.log ?? null,
    faults,
  });
  const told = `${questions.length} questions, models ${models.join(", ")}`;
  await runUntilStopped(server, told, { models, questions: questions.length }, options);
}

async function serveReplay(options: ReplayOptions): Promise<void> {
  const { startReplayServer } = await import("../serve/replay-server.ts");
  const server = await startReplayServer(options.file, { port: portOption(options.port) });
  const { requests } = server;
  await runUntilStopped(server, `${requests} recorded requests`, { requests }, options);
}

/** Says where it listens, in one line, and closes at SIGINT or SIGTERM. */
async function runUntilStopped(
  server: RunningServer,
  told: string,
  details: Readonly<Record<string, unknown>>,
  options: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const interrupt = interruptSignal(() => {
    if (options.quiet !== true) writeError("stopping");
  });
  try {
    const stopped = new Promise<void>((resolve) => {
      interrupt.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const { url, baseUrl } = server;
    printText(options.json === true ? JSON.stringify({ url, baseUrl, ...details }) : `${baseUrl} (${told})`);
    await stopped;
  } finally {
    await server.close();
    interrupt.release();
  }
}

function faultOptions(options: SimulatedOptions): FaultOptions | null {
  const { faults, faultKinds, faultSeed } = options;
  if (faults === undefined) {
    if (faultKinds === undefined && faultSeed === undefined) return null;
    throw new GradusError("USAGE", "--fault-kinds and --fault-seed need --faults");
  }
  return {
    rate: shareOption("--faults", faults),
    ...(faultKinds === undefined ? {} : { kinds: listOption("--fault-kinds", faultKinds).map(faultKind) }),
    ...(faultSeed === undefined ? {} : { seed: wholeNumber("--fault-seed", faultSeed, 0) }),
  };
}

function faultKind(name: string): FaultKind {
  const kind = FAULT_KINDS.find((known) => known === name);
  if (kind !== undefined) return kind;
  throw new GradusError("USAGE", `--fault-kinds has "${name}", expected some of ${FAULT_KINDS.join(", ")}`);
}

function portOption(value: string | undefined): number {
  const port = value === undefined ? 0 : wholeNumber("--port", value, 0);
  if (port <= 65_535) return port;
  throw new GradusError("USAGE", `--port must be at most 65535, got "${port}"`);
}

function shareOption(name: string, value: string): number {
  const share = Number(value);
  if (value.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new GradusError("USAGE", `${name} must be a number from 0 to 1, got "${value}"`);
}

export default command;
