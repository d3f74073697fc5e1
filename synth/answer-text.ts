const SQL_LANGUAGES: ReadonlySet<string> = new Set(["sql", "sqlite", "sqlite3"]);
const ANSWER_TAGS = ["answer", "solution"];
const THOUGHT_OPEN = "<think>";
const THOUGHT_CLOSE = "</think>";

/**
 * The answer in the form that the prompts ask for: one fenced block marked `sql`. The fence is longer than
 * any run of backticks in the SQL.
 */
export function answerText(sql: string): string {
  const longest = (sql.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}sql\n${sql}\n${fence}`;
}

/** A completion taken apart. */
export interface AnswerParts {
  /** What stands between `<think>` and `</think>`, trimmed; `null` without such a part. */
  readonly reasoning: string | null;
  /** The text outside the thought, without the block that holds the answer and what follows it, trimmed. */
  readonly lead: string;
  /** The answer, trimmed; `null` when there is none. */
  readonly sql: string | null;
  /** Whether the text ends with the answer in a fenced block marked as SQL, the form that the prompts ask for. */
  readonly endsInBlock: boolean;
}

/**
 * Finds thought and answer in a completion. A thought ends at the last `</think>`; one that never ends
 * leaves no answer. The answer is what the last `<answer>` or `<solution>` holds (its own fenced block, if
 * it has one), else the last closed block fenced as SQL or without a language. Takes time linear in the text.
 */
export function parseAnswer(text: string): AnswerParts {
  const { reasoning, rest } = splitThought(text);
  const tagged = lastTagged(rest);
  if (tagged !== null) {
    const sql = (lastFenced(tagged.inner)?.inner ?? tagged.inner).trim();
    const lead = rest.slice(0, tagged.start).trim();
    return { reasoning, lead, sql: sql === "" ? null : sql, endsInBlock: false };
  }
  const fenced = lastFenced(rest);
  if (fenced === null) return { reasoning, lead: rest.trim(), sql: null, endsInBlock: false };
  const sql = fenced.inner.trim();
  const endsInBlock = /^`{3,}sql\s/.test(rest.slice(fenced.start)) && rest.trimEnd().length === fenced.end;
  return { reasoning, lead: rest.slice(0, fenced.start).trim(), sql: sql === "" ? null : sql, endsInBlock };
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** Parts a completion into its thought, trimmed, `null` when it has none, and the rest as written. */
export function splitThought(text: string): { reasoning: string | null; rest: string } {
  const close = text.lastIndexOf(THOUGHT_CLOSE);
  const open = text.indexOf(THOUGHT_OPEN);
  if (close === -1) {
    if (open === -1) return { reasoning: null, rest: text };
    return { reasoning: text.slice(open + THOUGHT_OPEN.length).trim(), rest: text.slice(0, open) };
  }
  const hasOpen = open !== -1 && open < close;
  const thought = text.slice(hasOpen ? open + THOUGHT_OPEN.length : 0, close).trim();
  const before = hasOpen ? text.slice(0, open) : "";
  return { reasoning: thought, rest: before + text.slice(close + THOUGHT_CLOSE.length) };
}

function lastTagged(text: string): Block | null {
  let best: Block | null = null;
  for (const tag of ANSWER_TAGS) {
    const close = text.lastIndexOf(`</${tag}>`);
    const open = close === -1 ? -1 : text.lastIndexOf(`<${tag}>`, close);
    if (open === -1 || (best !== null && best.start > open)) continue;
    best = { start: open, end: close + tag.length + 3, inner: text.slice(open + tag.length + 2, close) };
  }
  return best;
}

/** Pairs each run of three or more backticks with the next one that is at least as long. */
function lastFenced(text: string): Block | null {
  let found: Block | null = null;
  let open: { start: number; end: number } | null = null;
  for (const run of text.matchAll(/`{3,}/g)) {
    const end = run.index + run[0].length;
    if (open === null) {
      open = { start: run.index, end };
    } else if (end - run.index >= open.end - open.start) {
      const inner = sqlInFence(text.slice(open.end, run.index));
      if (inner !== null) found = { start: open.start, end, inner };
      open = null;
    }
  }
  return found;
}

/** What a block holds after its language; `null` when that is another language than SQL. */
function sqlInFence(block: string): string | null {
  const [, language = "", space = ""] = /^([\w+#-]*)([ \t]*\r?\n|[ \t]+|$)/.exec(block) ?? [];
  if (SQL_LANGUAGES.has(language.toLowerCase())) return block.slice(language.length);
  return language !== "" && space.includes("\n") ? null : block;
}
