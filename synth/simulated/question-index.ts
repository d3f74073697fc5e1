import type { DatabaseSchema } from "../../core/database.ts";
import type { Example } from "../../core/example.ts";
import type { ToolCall } from "../../core/trajectory.ts";

/** An example with the schema of its database. */
export interface KnownQuestion {
  readonly example: Example;
  readonly schema: DatabaseSchema;
}

/** A message of a chat, as far as it is read. */
export interface ChatText {
  readonly role: string;
  readonly content: string;
  /** Calls through the server's tool interface. */
  readonly toolCalls?: readonly Pick<ToolCall, "name" | "arguments">[];
}

/** A question found in a chat: its place is the index of the message that asks it. */
export interface FoundQuestion {
  readonly question: KnownQuestion;
  readonly place: number;
}

/** Shorter questions are only found where they have a line of their own. */
const SHORTEST_WITHIN_LINE = 12;
const LABEL = /^[^:?]{1,40}:\s+/;
const CREATE_TABLE =
  /create\s+table\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([^\s("`[]+))/gi;

/**
 * Finds which of the known examples a prompt asks. A question is looked for as a line (after a label or in
 * tags) of the user messages, the latest first, observations left out; then anywhere in them. Of examples
 * that share their question, the one whose database, earlier questions and knowledge the prompt shows best
 * is meant; of equal ones the first. Examples without gold are not known.
 */
export class QuestionIndex {
  readonly #byFirstLine = new Map<string, Map<string, KnownQuestion[]>>();
  readonly #byLength: string[];

  constructor(questions: Iterable<KnownQuestion>) {
    const texts = new Set<string>();
    for (const question of questions) {
      const text = question.example.question.trim();
      if (text === "" || (question.example.gold[0] ?? "").trim() === "") continue;
      const sameStart = mapIn(this.#byFirstLine, firstLine(text));
      const same = sameStart.get(text);
      if (same === undefined) sameStart.set(text, [question]);
      else same.push(question);
      if (text.length >= SHORTEST_WITHIN_LINE) texts.add(text);
    }
    this.#byLength = [...texts].sort((left, right) => right.length - left.length);
  }

  find(messages: readonly ChatText[]): FoundQuestion | undefined {
    const places = messages.flatMap((message, place) => (asks(message) ? [place] : [])).reverse();
    const shown = messages.filter(({ role }) => role !== "assistant").map(({ content }) => content);
    const searches = [(text: string) => this.#lineIn(text), (text: string) => this.#textIn(text)];
    for (const search of searches) {
      for (const place of places) {
        const candidates = search(messages[place]?.content ?? "");
        if (candidates !== undefined) return { question: bestShown(candidates, shown.join("\n\n")), place };
      }
    }
    return undefined;
  }

  /** The last question that stands on lines of its own. */
  #lineIn(text: string): readonly KnownQuestion[] | undefined {
    let found: readonly KnownQuestion[] | undefined;
    let at = 0;
    for (const line of text.split("\n")) {
      for (const start of lineReadings(line)) {
        const longest = [...(this.#byFirstLine.get(start) ?? [])]
          .filter(([question]) => question === start || text.startsWith(question, text.indexOf(start, at)))
          .sort(([left], [right]) => right.length - left.length)[0];
        if (longest !== undefined) found = longest[1];
      }
      at += line.length + 1;
    }
    return found;
  }

  /** The longest question that stands anywhere. */
  #textIn(text: string): readonly KnownQuestion[] | undefined {
    const question = this.#byLength.find((candidate) => text.includes(candidate));
    return question === undefined ? undefined : this.#byFirstLine.get(firstLine(question))?.get(question);
  }
}

function mapIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map()));
  return map;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").trim();
}

function asks({ role, content }: ChatText): boolean {
  return role === "user" && !content.includes("<observation>") && !content.startsWith("<tool_response>");
}

/** A line as it is, and without its label, tags or quotes. */
function lineReadings(line: string): Set<string> {
  const bare = line.trim();
  const untagged = bare.replace(/^<[a-z_]+>\s*/i, "").replace(/\s*<\/[a-z_]+>$/i, "");
  const unlabelled = untagged.replace(LABEL, "");
  return new Set([bare, untagged, unlabelled, unlabelled.replace(/^"(.*)"$/, "$1")]);
}

function bestShown(candidates: readonly KnownQuestion[], shown: string): KnownQuestion {
  const [first] = candidates as [KnownQuestion];
  if (candidates.length === 1) return first;
  const tables = tablesIn(shown);
  const lower = shown.toLowerCase();
  let best = first;
  let bestMarks = marksOf(first, tables, lower);
  for (const candidate of candidates.slice(1)) {
    const marks = marksOf(candidate, tables, lower);
    const differing = marks.findIndex((mark, index) => mark !== bestMarks[index]);
    if ((marks[differing] ?? 0) <= (bestMarks[differing] ?? 0)) continue;
    best = candidate;
    bestMarks = marks;
  }
  return best;
}

function tablesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, double, back, square, bare] of text.matchAll(CREATE_TABLE)) {
    names.add((double ?? back ?? square ?? bare ?? "").toLowerCase());
  }
  return names;
}

/** How well a prompt fits a candidate; the first mark that differs decides. */
function marksOf({ example, schema }: KnownQuestion, tables: ReadonlySet<string>, shown: string): number[] {
  const own = schema.tables.map(({ name }) => name.toLowerCase());
  const columns = schema.tables.flatMap((table) => table.columns.map(({ name }) => name.toLowerCase()));
  const both = own.filter((name) => tables.has(name)).length;
  const overlap = tables.size === 0 ? shareIn(own, shown) : both / (own.length + tables.size - both);
  const earlier = example.history.map(({ question }) => question.trim().toLowerCase());
  const evidence = example.evidence?.trim().toLowerCase() ?? "";
  return [
    overlap,
    shareIn(columns, shown),
    shown.includes(example.databaseId.toLowerCase()) ? 1 : 0,
    earlier.every((question) => shown.includes(question)) ? earlier.length : -1,
    evidence !== "" && shown.includes(evidence) ? 1 : 0,
  ];
}

function shareIn(names: readonly string[], text: string): number {
  if (names.length === 0) return 0;
  return names.filter((name) => text.includes(name)).length / names.length;
}
