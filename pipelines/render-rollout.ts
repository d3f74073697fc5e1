import type { Example } from "../core/example.ts";
import type { Execution } from "../core/execution.ts";
import type { ScoredSample } from "../core/rows.ts";
import type { LinkedTable, Message, ToolCall, Trajectory } from "../core/trajectory.ts";
import type { Verdict } from "../core/verdict.ts";
import { safeLines, type TextBounds, type TextStyle } from "./terminal-text.ts";

/** A rollout with what its run knows of it. */
export interface ExplainedSample {
  readonly trajectory: Trajectory;
  /** `null` where no step of the run has it. */
  readonly example: Example | null;
  /** The linker's episodes that came before it, if any. */
  readonly linkings: readonly Trajectory[];
  /** Its verdicts by step. */
  readonly scored: readonly { readonly step: string; readonly sample: ScoredSample }[];
}

/** How a rollout is shown. */
export interface RolloutView {
  /** Whether nothing is shortened, and replies are shown as they were sampled too. */
  readonly full: boolean;
  readonly style: TextStyle;
}

/** A text with a label beside it. */
interface Block {
  readonly label: string;
  readonly text: string;
  readonly bounds: TextBounds;
  /** A line before the text. */
  readonly note?: string;
  readonly isDim?: boolean;
}

const OPENING: TextBounds = { maxLines: 6, maxCharacters: 400 };
const SHOWN: TextBounds = { maxLines: 12, maxCharacters: 1_200 };
const SAID: TextBounds = { maxLines: 24, maxCharacters: 2_400 };
const LABEL_WIDTH = 11;

/**
 * A rollout for a person: what it is and how it ended, its opening, and turn by turn the thought, the action,
 * what came back, and whether it is trained on and why. Nothing in it can take hold of the terminal.
 */
export function renderRollout(sample: ExplainedSample, view: RolloutView): string {
  const { messages } = sample.trajectory;
  const firstReply = messages.findIndex(({ origin }) => origin === "sampled");
  const opening = firstReply === -1 ? messages : messages.slice(0, firstReply);
  const lines = [view.style.bold(`sample ${sample.trajectory.id}`)];
  const show = (blocks: readonly Block[]): void => {
    for (const block of blocks) lines.push(...blockLines(block, view));
  };
  show([
    ...aboutSample(sample),
    ...linkedBy(sample),
    ...howItEnded(sample.trajectory),
    ...verdictsOf(sample),
  ]);
  show([field("trained", describeTraining(messages))]);
  lines.push("", view.style.bold("opening"));
  if (opening.length === 0) lines.push("  not recorded");
  show(opening.map((message) => ({ label: message.role, text: message.rawText, bounds: OPENING })));
  let turn = 0;
  for (const message of messages.slice(opening.length)) {
    if (message.origin === "sampled") {
      turn += 1;
      lines.push("", `${view.style.bold(`turn ${turn}`)}  ${turnTitle(message)}`);
      show(replyBlocks(message, view.full));
    } else {
      show([shownBlock(message, messages)]);
    }
  }
  return lines.join("\n");
}

/** An execution in few words: `ok (2 rows)`, `error (no such column: x)`. */
export function showExecution({ status, rows, message }: Execution): string {
  return message === "" ? `${status} (${rows} rows)` : `${status} (${message})`;
}

function aboutSample({ trajectory, example }: ExplainedSample): Block[] {
  const { model, scaffold, source, sampleIndex, round, seed, pastThoughts, exampleId } = trajectory;
  const seeded = seed === null ? "" : `, seed ${seed}`;
  return [
    ...(example === null ? [field("of", `example ${exampleId}`)] : aboutExample(example)),
    field("model", [model.name, model.revision].filter((part) => part !== "").join(", ")),
    field("scaffold", `${scaffold.id} ${JSON.stringify(scaffold.options)}`),
    field("taken", `${source}, sample ${sampleIndex} of round ${round}${seeded}`),
    field("thoughts", `past ones ${pastThoughts === "none" ? "there are none" : `are ${pastThoughts}`}`),
  ];
}

function aboutExample({ dataset, sourceId, databaseId, question, evidence, gold }: Example): Block[] {
  return [
    field("of", `${dataset.name} ${dataset.split} ${sourceId}, database ${databaseId}`),
    field("question", question),
    ...(evidence === null || evidence === "" ? [] : [field("evidence", evidence)]),
    ...gold.slice(0, 1).map((sql) => field("gold", sql)),
  ];
}

function linkedBy({ linkings }: ExplainedSample): Block[] {
  return linkings.map(({ id, links, stopReason }) => {
    const found =
      links === undefined ? `${stopReason}, so that the whole schema was shown` : showLinks(links);
    return field("linked by", `sample ${id}\n${found}`);
  });
}

function showLinks(links: readonly LinkedTable[]): string {
  if (links.length === 0) return "none";
  return links
    .map(({ table, columns }) => (columns.length === 0 ? table : `${table} (${columns.join(", ")})`))
    .join("\n");
}

function howItEnded({ stopReason, stopDetail, finalSql, links, usage }: Trajectory): Block[] {
  const tokens = `${usage.promptTokens ?? "?"} of prompts, ${usage.completionTokens ?? "?"} of replies`;
  return [
    field("tokens", tokens),
    field("stop", stopDetail === undefined ? stopReason : `${stopReason}: ${stopDetail}`),
    ...(links === undefined || finalSql !== null ? [field("answer", finalSql ?? "none")] : []),
    ...(links === undefined ? [] : [field("links", showLinks(links))]),
  ];
}

function verdictsOf({ scored }: ExplainedSample): Block[] {
  if (scored.length === 0) return [field("verdict", "none yet")];
  return scored.flatMap(({ step, sample }) => {
    const at = scored.length === 1 ? "" : ` (${step})`;
    const verdicts = Object.entries(sample.verdicts).map(([metric, verdict]) =>
      field("verdict", `${metric} ${showVerdict(verdict)}${at}`),
    );
    return sample.execution === null
      ? verdicts
      : [...verdicts, field("executed", `${showExecution(sample.execution)}${at}`)];
  });
}

function showVerdict(verdict: Verdict): string {
  if (verdict.status === "unscored") {
    return verdict.message === "" ? verdict.reason : `${verdict.reason} (${verdict.message})`;
  }
  return verdict.details === undefined
    ? String(verdict.score)
    : `${verdict.score} ${JSON.stringify(verdict.details)}`;
}

/** `2 of 3 replies, weights 1, 0.5; 1 masked`. */
function describeTraining(messages: readonly Message[]): string {
  const replies = messages.filter(({ origin }) => origin === "sampled");
  const trained = messages.filter(({ train }) => train);
  const masked = messages.filter(({ trainReason }) => isMask(trainReason)).length;
  const weights = [...new Set(trained.map(({ weight }) => weight))];
  const weighed = weights.length === 0 ? "" : `, weight ${weights.join(", ")}`;
  const hidden = masked === 0 ? "" : `; ${masked} masked`;
  return `${trained.length} of ${replies.length} replies${weighed}${hidden}`;
}

function isMask(trainReason: string): boolean {
  return trainReason.startsWith("masked");
}

/** Whether a message is learned, how much, and why. */
function trainingNote({ train, weight, trainReason }: Message): string {
  if (train) return `trained, weight ${weight}: ${trainReason}`;
  return `${isMask(trainReason) ? "masked" : "not trained"}: ${trainReason}`;
}

function turnTitle(message: Message): string {
  const steps = message.steps ?? [];
  const title = steps.length === 0 ? "" : `  ${steps.join(" > ")}`;
  return safeLines(`${trainingNote(message)}${title}`, null).join(" ");
}

function replyBlocks(message: Message, full: boolean): Block[] {
  const said = saidBesides(message);
  return [
    ...(message.reasoning === null
      ? []
      : [{ label: "thought", text: message.reasoning, bounds: SHOWN, isDim: true }]),
    ...(said === "" ? [] : [{ label: "says", text: said, bounds: SAID }]),
    ...message.toolCalls.map((call) => ({ label: "action", text: actionText(call), bounds: SAID })),
    ...(full
      ? [{ label: message.rawExact ? "exact text" : "raw text", text: message.rawText, bounds: SAID }]
      : []),
  ];
}

/** What a reply says besides its thought and its calls: empty when nothing but tags is left. */
export function saidBesides({ content, reasoning, toolCalls }: Message): string {
  const told = [...toolCalls.map(({ argumentsRaw }) => argumentsRaw), ...(reasoning ?? "").split("\n\n")];
  let rest = content;
  for (const part of told.map((text) => text.trim())) {
    if (part !== "") rest = rest.replace(part, "");
  }
  rest = rest.replaceAll(/<([a-z_]+)>\s*<\/\1>/gi, "").trim();
  return rest.replaceAll(/<\/?[a-z_]+>/gi, "").trim() === "" ? "" : rest;
}

/** A call with its arguments: those that are text as they read, so that SQL stands in lines of its own. */
export function actionText({ name, argumentsRaw, arguments: parsed }: ToolCall): string {
  if (parsed === null) return `${name} (its arguments are no JSON object)\n${argumentsRaw}`;
  const parts = Object.entries(parsed).map(([key, value]) =>
    typeof value === "string" ? `${key}: ${value}` : `${key}: ${JSON.stringify(value)}`,
  );
  return [name, ...parts].join("\n");
}

/** What the agent was shown after a reply: a tool's result under the tool's name, or what was put in. */
function shownBlock(message: Message, all: readonly Message[]): Block {
  const { origin, role, rawText, toolCallId, train } = message;
  if (origin === "injected") {
    return { label: "injected", text: rawText, bounds: SHOWN, note: trainingNote(message) };
  }
  if (origin === "given") return { label: role, text: rawText, bounds: SHOWN };
  const calls = all.slice(0, all.indexOf(message)).flatMap(({ toolCalls }) => toolCalls);
  const call = toolCallId === null ? undefined : calls.findLast(({ id }) => id === toolCallId);
  const notes = [
    ...(call === undefined ? [] : [`of ${call.name}`]),
    ...(train ? [trainingNote(message)] : []),
  ];
  const note = notes.length === 0 ? {} : { note: notes.join(", ") };
  return { label: "result", text: rawText, bounds: SHOWN, ...note };
}

function field(label: string, text: string): Block {
  return { label, text, bounds: SHOWN };
}

function blockLines({ label, text, bounds, note, isDim = false }: Block, view: RolloutView): string[] {
  const lines = safeLines(text, view.full ? null : bounds);
  const painted = isDim ? lines.map((line) => view.style.dim(line)) : lines;
  const noted = note === undefined ? [] : safeLines(`(${note})`, null).map((line) => view.style.dim(line));
  return [...noted, ...painted].map((line, index) =>
    `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`.trimEnd(),
  );
}
