import path from "node:path";
import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { trainerFiles, type TrainerFilesRequest } from "../../curation/trainer-files.ts";
import { makeFolder, writeWhole } from "../../io/files.ts";
import {
  type CommonOptions,
  pathRoots,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "../cli/command.ts";
import { readRunConfig } from "../run-training-set.ts";
import { defaultWorkers } from "../run-services.ts";
import type { RunningServer } from "./chat-server.ts";
import type { RunServiceOptions, ServiceKind } from "./run-service.ts";

interface ServiceCommandOptions extends CommonOptions {
  readonly host: string;
  readonly port?: string;
  readonly tokenEnv?: string;
  readonly workers?: string;
  readonly evaluation?: boolean;
  readonly maxInFlight?: string;
  readonly maxWaiting: string;
  readonly bodyLimit: string;
  readonly idleSeconds: string;
  readonly maxEpisodes: string;
  readonly mode?: string;
  readonly writeClient?: string;
}

/** Says where a server listens and closes it when the process is told to stop. */
export type RunUntilStopped = (
  server: RunningServer,
  told: string,
  details: Readonly<Record<string, unknown>>,
  options: { readonly json?: boolean; readonly quiet?: boolean },
) => Promise<void>;

const SERVICES: Readonly<Record<ServiceKind, string>> = {
  tools: "run the tools of scaffolds on a config's databases",
  rewards: "score answers to a config's questions: one, a batch, NeMo-Gym's /verify, OpenRLHF's form",
  env: "whole episodes of any scaffold for a trainer's own model, with tools and rewards",
};

/** `gradus serve tools`, `serve rewards` and `serve env`. */
export function registerServices(serve: Command, runUntilStopped: RunUntilStopped): void {
  for (const [kind, description] of Object.entries(SERVICES) as [ServiceKind, string][]) {
    const command = serve
      .command(`${kind} <config>`)
      .description(description)
      .option(
        "--host <address>",
        "address to listen on; others than this machine's own need a token",
        "127.0.0.1",
      )
      .option("--port <n>", "port (default: a free one)")
      .option("--token-env <name>", "environment variable with the token that clients have to send")
      .option("--workers <n>", "worker processes that run SQL (default: one a core)")
      .option("--evaluation", "serve the questions and rollouts of the config's evaluation")
      .option("--max-in-flight <n>", "calls that are worked on at once (default: 16 a worker)")
      .option("--max-waiting <n>", "calls that may wait for their turn; further ones get 429", "1024")
      .option("--body-limit <bytes>", "bytes of a call's body", String(16 * 1024 * 1024))
      .option(
        "--write-client <dir>",
        "write the Python files that trainers load, with this address filled in",
      );
    if (kind === "env") {
      command
        .option("--idle-seconds <n>", "an episode that nobody goes on with for so long expires", "600")
        .option("--max-episodes <n>", "episodes that may be open at once", "4096");
    }
    command.option(
      "--mode <mode>",
      "guardrails where a client does not say: training or test (default: the config's)",
    );
    withCommonOptions(command)
      .addHelpText(
        "after",
        `\nExample:\n  gradus serve ${kind} configs/dualsql.yaml --port 8100 --write-client clients/`,
      )
      .action((config: string, options: ServiceCommandOptions) =>
        serveRun(kind, config, { ...DEFAULTS, ...options }, runUntilStopped),
      );
  }
}

const DEFAULTS = { idleSeconds: "600", maxEpisodes: "4096" };

async function serveRun(
  kind: ServiceKind,
  file: string,
  options: ServiceCommandOptions,
  runUntilStopped: RunUntilStopped,
): Promise<void> {
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  const asked = serviceOptions(kind, options, workers);
  const { requireTokenBeyondLoopback } = await import("./service-server.ts");
  requireTokenBeyondLoopback(asked);
  const config = await readRunConfig(file);
  const { openServedRun } = await import("./served-run.ts");
  const { startRunService } = await import("./run-service.ts");
  const { EnvRollouts } = await import("./env-rollouts.ts");
  const run = await openServedRun({
    config,
    roots: pathRoots(options, path.dirname(file)),
    isEvaluation: options.evaluation === true,
    service: kind,
    workers,
    reporter: reporterFor(options),
    signal: new AbortController().signal,
  });
  let service: { readonly url: string; close(): Promise<void> };
  try {
    service = await startRunService(run, asked);
  } catch (thrown) {
    await run.close();
    throw thrown;
  }
  const close = async (): Promise<void> => {
    await service.close();
    await run.close();
  };
  const { url } = service;
  try {
    if (options.writeClient !== undefined) {
      const { scaffold, tools } = await new EnvRollouts(run, null).take({});
      await writeClient(options.writeClient, options, {
        url,
        tokenVariable: options.tokenEnv ?? null,
        services: kind === "env" ? ["env", "tools", "rewards"] : [kind],
        terms: run.rewards[0]?.reward.terms ?? [],
        scaffold: scaffold.id,
        tools: tools.map(({ schema }) => schema),
      });
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const told = `${kind} of ${config.name}, ${run.examples.size} questions`;
  const details = { service: kind, examples: run.examples.size };
  await runUntilStopped({ url, baseUrl: url, close }, told, details, options);
}

function serviceOptions(
  kind: ServiceKind,
  options: ServiceCommandOptions,
  workers: number,
): RunServiceOptions {
  const inFlight = options.maxInFlight;
  return {
    kind,
    host: options.host,
    port: portOption(options.port),
    token: tokenOf(options.tokenEnv),
    bodyLimitBytes: wholeNumber("--body-limit", options.bodyLimit, 1_024),
    limits: {
      maxInFlight: inFlight === undefined ? workers * 16 : wholeNumber("--max-in-flight", inFlight, 1),
      maxWaiting: wholeNumber("--max-waiting", options.maxWaiting, 0),
    },
    episodes: {
      idleMs: wholeNumber("--idle-seconds", options.idleSeconds, 1) * 1_000,
      maxEpisodes: wholeNumber("--max-episodes", options.maxEpisodes, 1),
    },
    mode: modeOption(options.mode),
  };
}

function tokenOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const token = process.env[name] ?? "";
  if (token !== "") return token;
  throw new GradusError("USAGE", `--token-env names ${name}, which is not set in the environment`);
}

function modeOption(mode: string | undefined): "training" | "test" | null {
  if (mode === undefined) return null;
  if (mode === "training" || mode === "test") return mode;
  throw new GradusError("USAGE", `--mode must be training or test, got "${mode}"`);
}

function portOption(value: string | undefined): number {
  const port = value === undefined ? 0 : wholeNumber("--port", value, 0);
  if (port <= 65_535) return port;
  throw new GradusError("USAGE", `--port must be at most 65535, got "${port}"`);
}

async function writeClient(
  folder: string,
  { quiet }: ServiceCommandOptions,
  request: TrainerFilesRequest,
): Promise<void> {
  const files = Object.entries(trainerFiles(request));
  await makeFolder(folder);
  for (const [name, text] of files) await writeWhole(path.join(folder, name), text);
  if (quiet !== true) writeError(`wrote ${files.length} files to ${folder}`);
}
