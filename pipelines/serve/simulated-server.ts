import type { ModelReply } from "../../core/model.ts";
import { SIMULATED_MODEL_NAME } from "../model-source.ts";
import { SeededRandom } from "../../core/random.ts";
import { AppendLog } from "../../io/append-log.ts";
import { SIMULATED_FINGERPRINT } from "../../io/models/openai-reply.ts";
import type { SimulatedModel } from "../../synth/simulated/respond.ts";
import { keepsStop } from "./chat-body.ts";
import { type ChatAnswer, type ChatCall, type RunningServer, startChatServer } from "./chat-server.ts";
import { type FaultKind, type FaultOptions, FaultPlan } from "./faults.ts";

export interface SimulatedServerOptions {
  readonly model: SimulatedModel;
  /** The names that `GET /v1/models` lists; any name is answered. `simulated-student` unless given. */
  readonly models?: readonly string[];
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Where given, calls below `/v1` need it as bearer token. */
  readonly apiKey?: string | null;
  /** Bytes of a request; 16 MiB unless given. */
  readonly bodyLimitBytes?: number;
  /** How long each reply takes at least, milliseconds; 0 unless given. */
  readonly delayMs?: number;
  /** What is added at most, by request, so that replies overtake each other, milliseconds; 0 unless given. */
  readonly delaySpreadMs?: number;
  /** A file that gets a {@link RequestLogLine} for each completion asked for, before anything is answered. */
  readonly log?: string | null;
  readonly faults?: FaultOptions | null;
}

/** A line of the request log. */
export interface RequestLogLine {
  /** Counts the completions asked for, from 0, in the order of arrival. */
  readonly order: number;
  /** SHA-256 of the body as canonical JSON. */
  readonly hash: string;
  /** The request hash that a ledger has for it. */
  readonly requestHash: string;
  /** Earlier calls with this body. */
  readonly attempt: number;
  readonly model: string;
  readonly seed: number | null;
  /** Number of messages. */
  readonly messages: number;
  /** The failure that is sent in place of the reply, if any. */
  readonly fault: FaultKind | null;
}

/**
 * Serves a simulated model over HTTP, in the form of an OpenAI-compatible server: equal requests get equal
 * bytes, but for planned faults. Its completions carry `system_fingerprint: gradus-simulated`.
 * @throws SERVE_FAILED, SERVE_FAULTS_INVALID, and what {@link AppendLog.open} throws.
 */
export async function startSimulatedServer(options: SimulatedServerOptions): Promise<RunningServer> {
  const faults = options.faults == null ? null : new FaultPlan(options.faults);
  const log = options.log == null ? null : AppendLog.open(options.log);
  const attempts = new Map<string, number>();
  let order = 0;
  const answer = (call: ChatCall): ChatAnswer => {
    const attempt = attempts.get(call.bodyHash) ?? 0;
    attempts.set(call.bodyHash, attempt + 1);
    const fault = faults?.faultOf(call.bodyHash, attempt) ?? null;
    log?.add(logLine(call, { order, attempt, fault }));
    order += 1;
    return { reply: replyOf(options.model, call), fault, delayMs: delayOf(call.bodyHash, options) };
  };
  try {
    const server = await startChatServer({
      port: options.port ?? 0,
      apiKey: options.apiKey ?? null,
      ...(options.bodyLimitBytes === undefined ? {} : { bodyLimitBytes: options.bodyLimitBytes }),
      models: options.models ?? [SIMULATED_MODEL_NAME],
      fingerprint: SIMULATED_FINGERPRINT,
      faults,
      answer,
    });
    return { ...server, close: () => server.close().finally(() => log?.close()) };
  } catch (thrown) {
    log?.close();
    throw thrown;
  }
}

function logLine(
  { bodyHash, requestHash, request }: ChatCall,
  counted: Pick<RequestLogLine, "order" | "attempt" | "fault">,
): RequestLogLine {
  return {
    order: counted.order,
    hash: bodyHash,
    requestHash,
    attempt: counted.attempt,
    model: request.model,
    seed: request.seed,
    messages: request.messages.length,
    fault: counted.fault,
  };
}

function replyOf(model: SimulatedModel, { body, request }: ChatCall): ModelReply {
  const { content, finishReason, usage } = model.respond({ ...request, keepsStop: keepsStop(body) });
  return {
    content,
    reasoning: null,
    toolCalls: [],
    finishReason,
    usage: { ...usage, costMicroUsd: null },
    rawExact: false,
    tokenIds: null,
    servedModel: request.model,
  };
}

function delayOf(bodyHash: string, { delayMs = 0, delaySpreadMs = 0 }: SimulatedServerOptions): number {
  if (delaySpreadMs === 0) return delayMs;
  return delayMs + new SeededRandom(0, "delay", bodyHash).integer(delaySpreadMs + 1);
}
