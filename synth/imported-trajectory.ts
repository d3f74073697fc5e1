import type { Example } from "../core/example.ts";
import { sampleId } from "../core/trajectory.ts";
import type { Message, ModelName, PlugUse, Trajectory } from "../core/trajectory.ts";
import { answerText, parseAnswer } from "./answer-text.ts";
import type { ImportedAnswer } from "./join-predictions.ts";

/** The scaffold of what was made elsewhere. */
export const IMPORTED_SCAFFOLD: PlugUse = { id: "imported", version: 1, options: {} };

/** Whose sample an answer is. */
export interface SamplePlace {
  readonly model: ModelName;
  readonly sampleIndex: number;
  readonly round: number;
}

/**
 * The trajectory of an imported answer. The SQL is kept as the file has it; only a file that has whole
 * replies and no SQL column has it extracted ({@link parseAnswer}). A blank SQL stays the final SQL, as
 * official evaluators run it, with the stop reason `no_answer`, and is never trained on.
 */
export function importedTrajectory(example: Example, answer: ImportedAnswer, place: SamplePlace): Trajectory {
  const messages = answer.messages ?? [answerMessage(answer)];
  const lastReply = messages.findLast((message) => message.role === "assistant");
  const finalSql = answer.sql ?? parseAnswer(lastReply?.rawText ?? "").sql;
  return {
    id: importedId(example, place),
    exampleId: example.id,
    sampleIndex: place.sampleIndex,
    round: place.round,
    model: place.model,
    scaffold: IMPORTED_SCAFFOLD,
    source: "imported",
    pastThoughts: pastThoughtsOf(messages),
    messages: [...messages],
    finalSql,
    stopReason: finalSql === null || finalSql.trim() === "" ? "no_answer" : "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed: null,
  };
}

/**
 * The one message of a reply. Its text is what a trainer learns, so it ends with the fenced block that the
 * prompts ask for: a reply that ends so is kept as it is; bare SQL and replies of another form are written
 * anew from thought, lead and answer ({@link answerText}), which is why `rawExact` is false. The SQL as the
 * file has it is the trajectory's `finalSql`.
 */
function answerMessage({ sql, rawText }: ImportedAnswer): Message {
  const parts = parseAnswer(rawText ?? "");
  const answer = sql ?? parts.sql;
  const isAnswered = answer !== null && answer.trim() !== "";
  const block = isAnswered ? answerText(answer) : "";
  const content = joinBlocks(parts.lead, block);
  const thought = parts.reasoning === null ? "" : `<think>\n${parts.reasoning}\n</think>`;
  const isKept = rawText !== null && (!isAnswered || (parts.endsInBlock && answer.trim() === parts.sql));
  return {
    role: "assistant",
    origin: "sampled",
    rawText: isKept ? rawText : joinBlocks(thought, content),
    rawExact: false,
    reasoning: parts.reasoning,
    content,
    toolCalls: [],
    toolCallId: null,
    train: isAnswered,
    weight: isAnswered ? 1 : 0,
    trainReason: isAnswered ? "answer" : "no_answer",
  };
}

function joinBlocks(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

function pastThoughtsOf(messages: readonly Message[]): Trajectory["pastThoughts"] {
  const replies = messages.filter((message) => message.role === "assistant");
  return replies.slice(0, -1).some((message) => message.reasoning !== null) ? "kept" : "none";
}

function importedId(example: Example, { model, sampleIndex, round }: SamplePlace): string {
  return sampleId({
    exampleId: example.id,
    question: example.question,
    evidence: example.evidence,
    history: example.history.map((turn) => ({ question: turn.question, sql: null })),
    schemaTextDigest: null,
    schemaDialect: null,
    profileDigest: null,
    databaseDigest: null,
    scaffold: IMPORTED_SCAFFOLD,
    tools: [],
    model,
    sampling: {},
    round,
    sampleIndex,
  });
}
