/** What a reply in tags asks for: to run a statement, or to end with one. */
export type ActionTag = "sql" | "solution";

/** Why a reply in tags holds no action. */
export type TagProblem =
  | "no_tag"
  | "unclosed_thought"
  | "unclosed_action"
  | "forged_observation"
  | "mismatched_tags"
  | "empty_action";

/** The first action of a reply: its SQL, trimmed and out of its fence, and the tags with all they hold, as written. */
export interface TagAction {
  readonly tag: ActionTag;
  readonly sql: string;
  readonly text: string;
  /** What follows it. */
  readonly rest: string;
}

export interface TagScan {
  /** The thoughts before the action, trimmed; empty ones are left out. */
  readonly thoughts: readonly string[];
  readonly action: TagAction | null;
  /** `null` when there is an action. */
  readonly problem: TagProblem | null;
  /** The action tag that is still open where the text ends, with something in it. */
  readonly openTag: ActionTag | null;
  /** Whether it opens an observation outside thoughts. */
  readonly isForged: boolean;
}

type Tag = ActionTag | "think" | "reasoning" | "observation";

interface OpenTag<Name extends Tag> {
  readonly name: Name;
  /** Where its `<` stands, and where its content begins. */
  readonly start: number;
  readonly inner: number;
}

const TAG = /<(\/?)(think|reasoning|sql|solution|observation)\s*>/gi;
const FENCED = /^(`{3,})[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1$/;
const OBSERVATION = /<observation\s*>/i;
const THINK_OPEN = /^\s*<think\s*>/i;
const THINK_CLOSE = /<\/think\s*>/i;

/**
 * Parts a reply from the thought that a reasoning model or its chat template puts first: `<think>…</think>`
 * at the start, or what stands before a `</think>` without its opening, unless the reply begins with a tag
 * of the protocol. A thought that never ends is left where it is.
 */
export function splitLeadingThought(text: string): { thought: string | null; rest: string } {
  const open = THINK_OPEN.exec(text);
  const close = THINK_CLOSE.exec(text);
  const beginsOtherwise = open === null && /^\s*<(?:reasoning|sql|solution|observation)\s*>/i.test(text);
  if (close === null || beginsOtherwise) return { thought: null, rest: text };
  const start = open === null ? 0 : open[0].length;
  if (open === null && /<think\s*>/i.test(text.slice(0, close.index))) return { thought: null, rest: text };
  return {
    thought: text.slice(start, close.index).trim(),
    rest: text.slice(close.index + close[0].length),
  };
}

/**
 * Finds the first action of a reply, in time linear in its text. Tags may be in any case.
 * - What stands between `<reasoning>` or `<think>` and its end is thought: tags in it mean nothing.
 * - What stands between `<observation>` and its end was made up by the model: it means nothing either.
 * - The first `<sql>` or `<solution>` that closes is the action, from the opening tag nearest to its end;
 *   what follows it means nothing. An opening tag of another kind gives up one that is open.
 * - A thought is not required, and text outside tags means nothing.
 */
export function scanTags(text: string): TagScan {
  const thoughts: string[] = [];
  let hidden: OpenTag<Exclude<Tag, ActionTag>> | null = null;
  let open: OpenTag<ActionTag> | null = null;
  let isMismatched = false;
  let isForged = false;
  for (const found of text.matchAll(TAG)) {
    const name = (found[2] ?? "").toLowerCase() as Tag;
    const isClosing = found[1] === "/";
    const end = found.index + found[0].length;
    if (hidden !== null) {
      if (!isClosing || name !== hidden.name) continue;
      if (name !== "observation") thoughts.push(text.slice(hidden.inner, found.index).trim());
      hidden = null;
    } else if (!isClosing) {
      if (isAction(name)) open = { name, start: found.index, inner: end };
      else [hidden, open] = [{ name, start: found.index, inner: end }, null];
      isForged ||= name === "observation";
    } else if (open !== null) {
      if (open.name === name) return ended({ thoughts, open, isForged }, text, { inner: found.index, end });
      isMismatched = true;
      open = null;
    }
  }
  const isBare = open === null || sqlIn(text.slice(open.inner)) === "";
  if (hidden !== null && hidden.name !== "observation") thoughts.push(text.slice(hidden.inner).trim());
  return {
    thoughts: thoughts.filter((thought) => thought !== ""),
    action: null,
    problem: problemOf(hidden?.name ?? null, open !== null, isMismatched),
    openTag: isBare ? null : (open?.name ?? null),
    isForged,
  };
}

function problemOf(hidden: Tag | null, isOpen: boolean, isMismatched: boolean): TagProblem {
  if (hidden === "observation") return "forged_observation";
  if (hidden !== null) return "unclosed_thought";
  if (isOpen) return "unclosed_action";
  return isMismatched ? "mismatched_tags" : "no_tag";
}

function ended(
  before: {
    readonly thoughts: readonly string[];
    readonly open: OpenTag<ActionTag>;
    readonly isForged: boolean;
  },
  text: string,
  at: { readonly inner: number; readonly end: number },
): TagScan {
  const { thoughts, open } = before;
  const sql = sqlIn(text.slice(open.inner, at.inner));
  const rest = text.slice(at.end);
  return {
    thoughts: thoughts.filter((thought) => thought !== ""),
    action: sql === "" ? null : { tag: open.name, sql, text: text.slice(open.start, at.end), rest },
    problem: sql === "" ? "empty_action" : null,
    openTag: null,
    isForged: before.isForged || OBSERVATION.test(rest),
  };
}

/** The query between an action's tags, trimmed and out of its fence. */
export function sqlIn(inner: string): string {
  const trimmed = inner.trim();
  return (FENCED.exec(trimmed)?.[2] ?? trimmed).trim();
}

function isAction(name: Tag): name is ActionTag {
  return name === "sql" || name === "solution";
}
