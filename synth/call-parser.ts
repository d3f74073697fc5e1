import type { Violation } from "../core/guardrail.ts";
import type { Json } from "../core/key.ts";
import type { ToolSchema } from "../core/model.ts";
import type { ToolCall } from "../core/trajectory.ts";
import { argumentProblem } from "./argument-check.ts";
import { readJson } from "./lenient-json.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";

/** Why a call cannot be made. */
export interface CallProblem {
  readonly violation: Extract<Violation, "malformed_call" | "unknown_tool" | "wrong_arguments">;
  /** In words for the agent. */
  readonly text: string;
}

/** A tool call as a reply asks for it. */
export interface ReadCall {
  /** The server's id of a native call; `text_call_0` and so on for one that stands in the text. */
  readonly id: string;
  /** Empty where none can be read. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>> | null;
  /** The call as written, tags and all; of a native one, its arguments. */
  readonly raw: string;
  /** Where it stands in the visible text; `null` for a native call. */
  readonly start: number | null;
  readonly problem: CallProblem | null;
  /** Whether it can be read only with a slip in its form forgiven. */
  readonly isRepaired: boolean;
}

/** A fenced block of the visible text, as offsets into it. */
export interface FencedBlock {
  /** In lower case, empty without one. */
  readonly language: string;
  readonly inner: string;
  readonly start: number;
  readonly end: number;
  /** Whether its closing fence is there. */
  readonly isClosed: boolean;
}

/** What a reply asks for outside its thoughts. */
export interface ReplyActions {
  /** Native calls first, then those in the text, in order; at most 32, the rest mean nothing. */
  readonly calls: readonly ReadCall[];
  readonly blocks: readonly FencedBlock[];
  /** Whether it holds a tool result that the model wrote itself. */
  readonly isForged: boolean;
}

/** A reply parted from its thought. `isOpen`: the thought never ends, so that nothing of it is visible. */
export interface PartedReply {
  /** As written, trimmed; `null` without one. */
  readonly thought: string | null;
  /** What is not part of the thought, as written. */
  readonly visible: string;
  readonly isOpen: boolean;
}

const MOST_CALLS = 32;
const TEXT_CALL = "text_call_";
const THINK = /<(\/?)think\s*>/gi;
const STARTS_OTHERWISE = /^\s*(?:<tool_call\s*>|<tool_response\s*>)/i;
const HAS_ACTION = /<tool_call\s*>|`{3}/i;
const CALL_END = /<\/tool_call\s*>/gi;
/** Where a call in the text has to end; what is missing of its JSON before that is forgiven. */
const CALL_CLOSES = /(?:`{3,}\s*)?<\/tool_call\s*>/iy;
const EXTRA_ENDS = /[\s}]*/y;
const SPACE = /\s*/y;
const SIGN = /<(\/?)(tool_call|tool_response|think)\s*>|`{3,}/gi;
const FENCE_OPENING = /`{3,}[\w+#-]*[ \t]*\r?\n?\s*/y;

/** Whether a call stands in the text, so that a server's tool interface must not be told of it a second time. */
export function isTextCall({ id }: Pick<ToolCall, "id">): boolean {
  return id.startsWith(TEXT_CALL);
}

/**
 * Parts a reply from its thought: what the server parsed out; else `<think>…</think>` before any action; else
 * what stands before a `</think>` whose opening was part of the prompt.
 */
export function partThought(content: string, reasoning: string | null): PartedReply {
  if (reasoning !== null) return { thought: reasoning.trim(), visible: content, isOpen: false };
  const none: PartedReply = { thought: null, visible: content, isOpen: false };
  THINK.lastIndex = 0;
  const first = THINK.exec(content);
  if (first === null) return none;
  const afterFirst = first.index + first[0].length;
  const before = content.slice(0, first.index);
  if (first[1] === "/") {
    if (STARTS_OTHERWISE.test(content)) return none;
    return { thought: before.trim(), visible: content.slice(afterFirst), isOpen: false };
  }
  if (HAS_ACTION.test(before)) return none;
  const close = firstClosing(content);
  if (close === null) return { thought: content.slice(afterFirst).trim(), visible: before, isOpen: true };
  return {
    thought: content.slice(afterFirst, close.start).trim(),
    visible: before + content.slice(close.end),
    isOpen: false,
  };
}

/** From where the last use of {@link THINK} ended. */
function firstClosing(content: string): { start: number; end: number } | null {
  for (let found = THINK.exec(content); found !== null; found = THINK.exec(content)) {
    if (found[1] === "/") return { start: found.index, end: found.index + found[0].length };
  }
  return null;
}

/**
 * Finds the calls and the fenced blocks of a reply's visible text and its native calls, and holds the calls
 * against the tools; in time linear in the text. A bad call is a call with a problem, never an exception.
 * - A call is one JSON object with `name` and `arguments` between `<tool_call>` and `</tool_call>`; tags in any
 *   case, braces and tags within its texts are text. It may stand in a fence, or its JSON may.
 * - Forgiven as repairs: what {@link readJson} forgives, a missing closing tag, closing braces too many or,
 *   before the closing tag, too few, arguments as JSON in a text, `parameters` for `arguments`, further members.
 * - A call that the text's end cuts, or whose JSON stays unreadable, is malformed, and so is a closing tag alone.
 * - What stands between `<think>` and its end, or between `<tool_response>` and its end, means nothing.
 */
export function readActions(
  visible: string,
  nativeCalls: readonly ToolCall[],
  tools: readonly ToolSchema[],
): ReplyActions {
  const native = nativeCalls.filter((call) => !isTextCall(call)).slice(0, MOST_CALLS);
  const scanner = new Scanner(visible, tools, MOST_CALLS - native.length);
  scanner.scan();
  return {
    calls: [...native.map((call) => nativeCall(call, tools)), ...scanner.calls],
    blocks: scanner.blocks,
    isForged: scanner.isForged,
  };
}

/**
 * The calls as a message keeps them. Of one in the text the raw arguments are the whole call as written:
 * exporters find it in the text and do not write it twice.
 */
export function keptCalls(calls: readonly ReadCall[]): ToolCall[] {
  return calls.map(({ id, name, raw, arguments: given }) => ({
    id,
    name,
    argumentsRaw: raw,
    arguments: given === null ? null : ({ ...given } as ToolCall["arguments"]),
  }));
}

class Scanner {
  readonly calls: ReadCall[] = [];
  readonly blocks: FencedBlock[] = [];
  isForged = false;
  readonly #text: string;
  readonly #tools: readonly ToolSchema[];
  readonly #mostCalls: number;

  constructor(text: string, tools: readonly ToolSchema[], mostCalls: number) {
    this.#text = text;
    this.#tools = tools;
    this.#mostCalls = mostCalls;
  }

  scan(): void {
    let at = 0;
    /** Where the closing fence of a fence around a call stands. */
    let wrapper: string | null = null;
    for (;;) {
      SIGN.lastIndex = at;
      const found = SIGN.exec(this.#text);
      if (found === null) return;
      const [sign, slash = "", tag = ""] = found;
      const end = found.index + sign.length;
      if (tag !== "") at = this.#tag(tag.toLowerCase(), slash === "/", { start: found.index, end });
      else if (wrapper !== null && sign.length >= wrapper.length) [wrapper, at] = [null, end];
      else if (this.#wrapsCall(found.index)) [wrapper, at] = [sign, end];
      else at = this.#block(sign, found.index);
    }
  }

  /** Takes a tag and what belongs to it; gives where to go on. */
  #tag(tag: string, isClosing: boolean, { start, end }: { start: number; end: number }): number {
    if (tag === "tool_call") return isClosing ? this.#strayEnd(start, end) : this.#call(start, end);
    if (tag === "tool_response") this.isForged = true;
    if (isClosing) return end;
    const closing = new RegExp(`</${tag}\\s*>`, "gi");
    closing.lastIndex = end;
    const close = closing.exec(this.#text);
    return close === null ? this.#text.length : close.index + close[0].length;
  }

  #strayEnd(start: number, end: number): number {
    this.#add(unreadable("Its opening tag is missing."), start, end);
    return end;
  }

  #call(start: number, inner: number): number {
    if (this.calls.length >= this.#mostCalls) return inner;
    const json = this.#fenceEnd(inner);
    const reading = readJson(this.#text, json, CALL_CLOSES);
    if (!reading.ok) {
      const [end, isClosed] = this.#endOf(inner, true);
      const isCut = reading.isCut && !isClosed;
      const why = isCut ? "It is cut before its end." : `It is not JSON: ${reading.problem}.`;
      this.#add(unreadable(why), start, end);
      return end;
    }
    EXTRA_ENDS.lastIndex = reading.end;
    const extra = EXTRA_ENDS.exec(this.#text)?.[0] ?? "";
    CALL_CLOSES.lastIndex = reading.end + extra.length;
    const close = CALL_CLOSES.exec(this.#text);
    const found = callIn(reading.value, this.#tools);
    if (close !== null) {
      const isRepaired =
        found.isRepaired || reading.isRepaired || extra.includes("}") || json > this.#skipSpace(inner);
      this.#add({ ...found, isRepaired }, start, CALL_CLOSES.lastIndex);
      return CALL_CLOSES.lastIndex;
    }
    return this.#unclosed(found, { start, inner, jsonEnd: reading.end });
  }

  /** A call whose JSON is whole, and which no closing tag follows at once. */
  #unclosed(found: CallParts, at: { start: number; inner: number; jsonEnd: number }): number {
    const next = this.#text.slice(this.#skipSpace(at.jsonEnd), this.#skipSpace(at.jsonEnd) + 12);
    if (next === "" || /^<tool_call\b/i.test(next) || /^`{3}/.test(next)) {
      this.#add({ ...found, isRepaired: true }, at.start, at.jsonEnd);
      return at.jsonEnd;
    }
    const [end] = this.#endOf(at.jsonEnd, false);
    const got = JSON.stringify(shortenText(oneLineText(next), 12));
    const problem = malformed(`Its JSON object is followed by ${got}, expected its closing tag.`);
    this.#add({ ...found, problem, isRepaired: false }, at.start, end);
    return end;
  }

  /** Where a call that cannot be read ends, and whether by its closing tag. */
  #endOf(from: number, takesRest: boolean): [number, boolean] {
    CALL_END.lastIndex = from;
    const close = CALL_END.exec(this.#text);
    if (close !== null) return [CALL_END.lastIndex, true];
    return [takesRest ? this.#text.length : from, false];
  }

  #add(parts: CallParts, start: number, end: number): void {
    if (this.calls.length >= this.#mostCalls) return;
    const id = `${TEXT_CALL}${this.calls.length}`;
    this.calls.push({ id, raw: this.#text.slice(start, end), start, ...parts });
  }

  /** Takes a fenced block; gives where to go on. */
  #block(fence: string, start: number): number {
    const inner = start + fence.length;
    const closing = /`{3,}/g;
    closing.lastIndex = inner;
    let close = closing.exec(this.#text);
    while (close !== null && close[0].length < fence.length) close = closing.exec(this.#text);
    const end = close === null ? this.#text.length : close.index + close[0].length;
    const written = this.#text.slice(inner, close === null ? end : close.index);
    const [opening = "", language = ""] = /^([\w+#-]*)(?:[ \t]*\r?\n|[ \t]+|$)/.exec(written) ?? [];
    this.blocks.push({
      language: language.toLowerCase(),
      inner: written.slice(opening.length).trim(),
      start,
      end,
      isClosed: close !== null,
    });
    return end;
  }

  #wrapsCall(start: number): boolean {
    FENCE_OPENING.lastIndex = start;
    const opening = FENCE_OPENING.exec(this.#text);
    return (
      opening !== null &&
      /^<tool_call\s*>/i.test(this.#text.slice(FENCE_OPENING.lastIndex, FENCE_OPENING.lastIndex + 40))
    );
  }

  /** After white space and an opening fence. */
  #fenceEnd(inner: number): number {
    const start = this.#skipSpace(inner);
    FENCE_OPENING.lastIndex = start;
    return FENCE_OPENING.test(this.#text) ? FENCE_OPENING.lastIndex : start;
  }

  #skipSpace(from: number): number {
    SPACE.lastIndex = from;
    return SPACE.test(this.#text) ? SPACE.lastIndex : from;
  }
}

type CallParts = Pick<ReadCall, "name" | "arguments" | "problem" | "isRepaired">;

function malformed(text: string): CallProblem {
  return { violation: "malformed_call", text: `The tool call cannot be read. ${text} ${CALL_FORM}` };
}

const CALL_FORM =
  'Its form is one JSON object, {"name": "…", "arguments": {…}}, alone between an opening and a closing tool_call tag.';

function unreadable(text: string, name = ""): CallParts {
  return { name, arguments: null, isRepaired: false, problem: malformed(text) };
}

/** A call as an object with a name and arguments. */
function callIn(value: Json, tools: readonly ToolSchema[]): CallParts {
  if (!isObject(value)) return unreadable("It is no JSON object.");
  const { name } = value;
  if (typeof name !== "string" || name.trim() === "") return unreadable("It has no name of a tool.");
  const member = Object.hasOwn(value, "arguments") ? "arguments" : "parameters";
  const others = Object.keys(value).filter((key) => key !== "name" && key !== member);
  if (!Object.hasOwn(value, member)) {
    if (others.length > 0) return unreadable('Its arguments have to be in an object named "arguments".');
    return checked(name, {}, { tools, isRepaired: true });
  }
  const isRepaired = member === "parameters" || others.length > 0;
  return withArguments(name, value[member] ?? null, { tools, isRepaired });
}

interface Reading {
  readonly tools: readonly ToolSchema[];
  readonly isRepaired: boolean;
}

/** Arguments are an object, or JSON of one in a text. */
function withArguments(name: string, given: Json, { tools, isRepaired }: Reading): CallParts {
  if (isObject(given)) return checked(name, given, { tools, isRepaired });
  const inner = typeof given === "string" ? readWhole(given) : null;
  if (inner !== null && isObject(inner.value)) return checked(name, inner.value, { tools, isRepaired: true });
  return unreadable('Its "arguments" are no JSON object.', name);
}

/** A text that is one JSON value and nothing else; `null` when it is not. */
function readWhole(text: string): { readonly value: Json; readonly isRepaired: boolean } | null {
  const reading = readJson(text, 0);
  return reading.ok && text.slice(reading.end).trim() === "" ? reading : null;
}

function nativeCall(call: ToolCall, tools: readonly ToolSchema[]): ReadCall {
  const read = call.arguments === null ? readWhole(call.argumentsRaw.trim() || "{}") : null;
  const parts =
    call.arguments !== null
      ? checked(call.name, call.arguments, { tools, isRepaired: !isObjectText(call.argumentsRaw) })
      : withArguments(call.name, read?.value ?? null, { tools, isRepaired: true });
  return { id: call.id, raw: call.argumentsRaw, start: null, ...parts };
}

/** Whether the raw arguments of a native call are a JSON object as they stand. */
export function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text) as Json);
  } catch {
    return false;
  }
}

/** A readable call, held against the tools. */
function checked(
  name: string,
  given: Readonly<Record<string, Json>>,
  { tools, isRepaired }: Reading,
): CallParts {
  const call = { name, arguments: given, isRepaired };
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const known = tools.map((candidate) => candidate.name).join(", ");
    const got = JSON.stringify(shortenText(oneLineText(name), 80));
    const text = `There is no tool ${got}, expected ${known === "" ? "none" : `one of ${known}`}.`;
    return { ...call, problem: { violation: "unknown_tool", text } };
  }
  const wrong = argumentProblem(given, tool);
  if (wrong === null) return { ...call, problem: null };
  return { ...call, problem: { violation: "wrong_arguments", text: `Wrong call of ${name}: ${wrong}.` } };
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
