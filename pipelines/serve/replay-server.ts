import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import { keyOf } from "../../core/key.ts";
import { FinishReason } from "../../core/model.ts";
import { ToolCall, Usage } from "../../core/trajectory.ts";
import { readJsonLines } from "../../io/jsonl.ts";
import { ChatBody, modelRequestOf } from "./chat-body.ts";
import { type ChatAnswer, type ChatCall, type RunningServer, startChatServer } from "./chat-server.ts";

const UNKNOWN_USAGE = { promptTokens: null, completionTokens: null, costMicroUsd: null };

/**
 * A line of a recording: a request, by its hash as ledgers have it (`keyOf` a `ModelRequest`) or as the body
 * that was sent, and the reply to it, a `ModelReply` of which only `content` must be given. Other members
 * are passed over, so that a ledger's turns can be written down as they are.
 */
export const RecordedReply = z
  .looseObject({
    requestHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    request: ChatBody.optional(),
    reply: z.looseObject({
      content: z.string(),
      reasoning: z.string().nullable().default(null),
      toolCalls: z.array(ToolCall).default([]),
      finishReason: FinishReason.default("stop"),
      usage: Usage.default(UNKNOWN_USAGE),
      tokenIds: z.array(z.int()).nullable().default(null),
      /** `null`: the name that was asked for. */
      servedModel: z.string().nullable().default(null),
    }),
  })
  .refine((line) => (line.requestHash === undefined) !== (line.request === undefined), {
    error: "give either requestHash or request",
  });
export type RecordedReply = z.infer<typeof RecordedReply>;

export interface ReplayServerOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Where given, calls below `/v1` need it as bearer token. */
  readonly apiKey?: string | null;
}

/** A replay server, and how many requests it has a reply for. */
export interface ReplayServer extends RunningServer {
  readonly requests: number;
}

/**
 * Answers from a recording, one {@link RecordedReply} a line. A request matches by its hash: model, messages,
 * tools, sampling and seed. Several replies to one request are given in the order of the file, the last one
 * from then on. A request that is not recorded gets 404 with its hash.
 * @throws FILE_MISSING, JSONL_MALFORMED, REPLAY_LINE_INVALID with the line, SERVE_FAILED.
 */
export async function startReplayServer(
  file: string,
  options: ReplayServerOptions = {},
): Promise<ReplayServer> {
  const { replies, models } = await readRecording(file);
  const given = new Map<string, number>();
  const answer = ({ requestHash, request }: ChatCall): ChatAnswer => {
    const recorded = replies.get(requestHash);
    if (recorded === undefined) return unrecorded(requestHash, file);
    const turn = Math.min(given.get(requestHash) ?? 0, recorded.length - 1);
    given.set(requestHash, turn + 1);
    const reply = recorded[turn] as RecordedReply["reply"];
    const servedModel = reply.servedModel ?? request.model;
    return { reply: { ...reply, rawExact: false, servedModel }, fault: null, delayMs: 0 };
  };
  const server = await startChatServer({
    port: options.port ?? 0,
    apiKey: options.apiKey ?? null,
    models: [...models].sort(),
    fingerprint: "gradus-replay",
    faults: null,
    answer,
  });
  return { ...server, requests: replies.size };
}

function unrecorded(requestHash: string, file: string): ChatAnswer {
  const message = `no reply to the request ${requestHash} is recorded in ${file}`;
  return { refusal: { status: 404, code: "request_not_recorded", message } };
}

interface Recording {
  readonly replies: Map<string, RecordedReply["reply"][]>;
  readonly models: Set<string>;
}

async function readRecording(file: string): Promise<Recording> {
  const recording: Recording = { replies: new Map(), models: new Set() };
  for await (const { value, line } of readJsonLines(file)) {
    const parsed = RecordedReply.safeParse(value);
    if (!parsed.success) {
      const problem = z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ");
      throw new GradusError("REPLAY_LINE_INVALID", `cannot replay a line: ${problem}`, {
        site: { file, line },
        hint: "a line is {requestHash or request, reply: {content, …}}",
      });
    }
    const { request, reply } = parsed.data;
    const requestHash =
      request === undefined ? (parsed.data.requestHash ?? "") : keyOf(modelRequestOf(request));
    const recorded = recording.replies.get(requestHash);
    if (recorded === undefined) recording.replies.set(requestHash, [reply]);
    else recorded.push(reply);
    const model = reply.servedModel ?? request?.model;
    if (model !== undefined) recording.models.add(model);
  }
  return recording;
}
