import { GradusError } from "../core/errors.ts";
import { keyOf, sha256 } from "../core/key.ts";
import type { Example } from "../core/example.ts";
import type { Ledger } from "../core/ledger.ts";
import type { Model, ModelReply, ModelRequest, Sampling } from "../core/model.ts";
import { SeededRandom } from "../core/random.ts";
import { type ModelName, type SampleIdentity, sampleId } from "../core/trajectory.ts";
import { type AnnotationOpinion, readOpinion } from "./annotation-opinion.ts";
import { chatMessages } from "./chat-messages.ts";
import {
  JUDGE_ANNOTATION_PROMPT_VERSION,
  judgeAnnotationPrompt,
  type ShownAnnotation,
} from "./prompts/judge-annotation.ts";

/** What opinions are asked for with. */
export interface OpinionServices {
  readonly model: Model;
  readonly name: ModelName;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly seed: number;
  /** Opinions of an annotation. */
  readonly voters: number;
  readonly sampling: Sampling;
}

/** Failures that come from the end of the run: nothing to tell of an opinion. */
const STOPS: ReadonlySet<string> = new Set(["INTERRUPTED"]);

/**
 * Asks a model several times, each under another seed, whether an annotation is right. A reply is committed to the
 * ledger before it is read, and what the ledger has is not asked for again. Replies that say nothing that can be read
 * are no opinions.
 * @throws what model and ledger throw.
 */
export async function judgeAnnotation(
  example: Example,
  shown: ShownAnnotation & { readonly databaseDigest: string },
  services: OpinionServices,
): Promise<AnnotationOpinion[]> {
  const prompt = judgeAnnotationPrompt(shown);
  const messages = chatMessages(prompt, { pastThoughts: "none", nativeTools: false });
  const promptText = prompt.map(({ rawText }) => rawText).join("\n\n");
  const opinions: AnnotationOpinion[] = [];
  for (let voter = 0; voter < services.voters; voter += 1) {
    const identity = opinionIdentity(
      example,
      { promptText, databaseDigest: shown.databaseDigest, voter },
      services,
    );
    const reply = await opinionReply(identity, messages, services);
    const opinion = readOpinion(reply.content);
    if (opinion !== null) opinions.push(opinion);
  }
  return opinions;
}

function opinionIdentity(
  example: Example,
  asked: { readonly promptText: string; readonly databaseDigest: string; readonly voter: number },
  { name, sampling }: OpinionServices,
): SampleIdentity {
  return {
    exampleId: example.id,
    question: example.question,
    evidence: example.evidence,
    history: example.history.map(({ question }) => ({ question, sql: null })),
    schemaTextDigest: sha256(asked.promptText),
    schemaDialect: null,
    profileDigest: null,
    databaseDigest: asked.databaseDigest,
    scaffold: { id: "judge-annotation", version: JUDGE_ANNOTATION_PROMPT_VERSION, options: {} },
    tools: [],
    model: name,
    sampling,
    round: 0,
    sampleIndex: asked.voter,
  };
}

async function opinionReply(
  identity: SampleIdentity,
  messages: ModelRequest["messages"],
  services: OpinionServices,
): Promise<ModelReply> {
  const { ledger, model, signal, sampling } = services;
  const id = sampleId(identity);
  const seed = new SeededRandom(services.seed, "judge-annotation", id).nextUint32() >>> 1;
  const request: ModelRequest = { model: identity.model.name, messages, tools: [], sampling, seed };
  const requestHash = keyOf(request);
  const [committed] = ledger.turns(id);
  if (committed?.requestHash === requestHash) return committed.reply;
  await ledger.openSample(id, identity);
  if (committed !== undefined) await ledger.dropTurnsFrom(id, 0);
  try {
    const reply = await model.complete(request, signal);
    await ledger.commitReply({ sampleId: id, turn: 0, requestHash, reply });
    return reply;
  } catch (thrown) {
    if (thrown instanceof GradusError && !STOPS.has(thrown.code)) {
      const { code, message } = thrown;
      await ledger.record({ sampleId: id, turn: 0, code, message });
    }
    throw thrown;
  }
}
