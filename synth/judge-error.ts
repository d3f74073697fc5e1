import { GradusError } from "../core/errors.ts";
import { identityOf, keyOf, sha256 } from "../core/key.ts";
import type { Ledger } from "../core/ledger.ts";
import type { Model, ModelReply, ModelRequest } from "../core/model.ts";
import { SeededRandom } from "../core/random.ts";
import { type Message, type ModelName, type SampleIdentity, sampleId } from "../core/trajectory.ts";
import { chatMessages } from "./chat-messages.ts";
import { sampledMessage } from "./episode-messages.ts";
import { totalUsage } from "./episode-usage.ts";
import { readJson } from "./lenient-json.ts";
import { JUDGE_ERROR_PROMPT_VERSION, judgeErrorPrompt, type ShownError } from "./prompts/judge-error.ts";

/** What stands in a ledger for the example of every judgement: they are of answers, and no answers themselves. */
const JUDGEMENTS = identityOf({ purpose: "judge-error" });

/** What wrong answers are judged with. */
export interface JudgeErrorServices {
  readonly model: Model;
  readonly name: ModelName;
  readonly simulated: boolean;
  readonly sampling: Omit<ModelRequest["sampling"], "stop">;
  /** The classes by name, with what each means. */
  readonly classes: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly seed: number;
}

/**
 * Has a model name the classes of a wrong answer, the gravest first; `null` where its reply cannot be read. The reply
 * is committed to the ledger before it is read, and the same wrong answer is not asked again.
 * @throws what model and ledger throw.
 */
export async function judgeError(
  error: ShownError,
  services: JudgeErrorServices,
): Promise<readonly string[] | null> {
  const { ledger, classes } = services;
  const prompt = judgeErrorPrompt(error, classes);
  const identity = identityFor(prompt, services);
  const id = sampleId(identity);
  const request: ModelRequest = {
    model: services.name.name,
    messages: chatMessages(prompt, { pastThoughts: "none", nativeTools: false }),
    tools: [],
    sampling: { ...services.sampling, stop: [] },
    seed: new SeededRandom(services.seed, "judge-error", id).nextUint32() >>> 1,
  };
  const committed = ledger.turns(id)[0]?.reply;
  const reply = committed ?? (await ask(request, { id, identity }, services));
  const read = classesIn(reply.content, Object.keys(classes));
  if (ledger.outcome(id) === undefined) {
    await ledger.finish(
      id,
      read === null
        ? { kind: "discarded", reason: "the reply names no class" }
        : { kind: "finished", trajectory: trajectoryOf({ id, identity, prompt, reply, request }, services) },
    );
  }
  return read;
}

/** Asks and commits; a failure worth telling is noted in the ledger. */
async function ask(
  request: ModelRequest,
  { id, identity }: { readonly id: string; readonly identity: SampleIdentity },
  { ledger, model, signal }: JudgeErrorServices,
): Promise<ModelReply> {
  await ledger.openSample(id, identity);
  try {
    const reply = await model.complete(request, signal);
    await ledger.commitReply({ sampleId: id, turn: 0, requestHash: keyOf(request), reply });
    return reply;
  } catch (thrown) {
    if (thrown instanceof GradusError && thrown.code !== "INTERRUPTED") {
      await ledger.record({ sampleId: id, turn: 0, code: thrown.code, message: thrown.message });
    }
    throw thrown;
  }
}

function identityFor(
  prompt: readonly Message[],
  { name, sampling }: Pick<JudgeErrorServices, "name" | "sampling">,
): SampleIdentity {
  return {
    exampleId: JUDGEMENTS,
    question: "",
    evidence: null,
    history: [],
    schemaTextDigest: sha256(prompt.map(({ rawText }) => rawText).join("\n\n")),
    schemaDialect: null,
    profileDigest: null,
    databaseDigest: null,
    scaffold: { id: "judge-error", version: JUDGE_ERROR_PROMPT_VERSION, options: {} },
    tools: [],
    model: name,
    sampling: { ...sampling, extra: { ...sampling.extra } },
    round: 0,
    sampleIndex: 0,
  };
}

function trajectoryOf(
  parts: {
    readonly id: string;
    readonly identity: SampleIdentity;
    readonly prompt: readonly Message[];
    readonly reply: ModelReply;
    readonly request: ModelRequest;
  },
  { simulated }: Pick<JudgeErrorServices, "simulated">,
) {
  const { id, identity, prompt, reply, request } = parts;
  const { exampleId, sampleIndex, round, model, scaffold } = identity;
  const { reasoning, content } = reply;
  const said = sampledMessage(reply, { reasoning, content, toolCalls: [], restored: "" });
  return {
    id,
    exampleId,
    sampleIndex,
    round,
    model,
    scaffold,
    source: simulated ? ("simulated" as const) : ("sampled" as const),
    pastThoughts: "none" as const,
    messages: [...prompt, { ...said, train: false, weight: 0, trainReason: "judgement" }],
    finalSql: null,
    stopReason: "answered" as const,
    usage: totalUsage([reply]),
    seed: request.seed,
  };
}

/** The classes that a reply's last JSON object names, each once, in its order; `null` where it names none. */
function classesIn(text: string, known: readonly string[]): readonly string[] | null {
  for (let start = text.lastIndexOf("{"); start !== -1; start = text.lastIndexOf("{", start - 1)) {
    const reading = readJson(text, start);
    const value = "value" in reading ? reading.value : null;
    const given =
      typeof value === "object" && value !== null && "errors" in value ? (value.errors as unknown) : null;
    if (Array.isArray(given)) {
      const named = given.flatMap((item: unknown) => (typeof item === "string" ? [plain(item)] : []));
      const found = [...new Set(named)].filter((name) => known.includes(name));
      return found.length === 0 ? null : found;
    }
    if (start === 0) break;
  }
  return null;
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}
