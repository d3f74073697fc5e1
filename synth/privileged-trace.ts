import type { DatabaseSchema } from "../core/database.ts";
import type { Example } from "../core/example.ts";
import { impliedAnswer } from "./privileged-indirection.ts";
import { foldSpace, queriesOf } from "../core/trajectory-actions.ts";
import type { Message, Trajectory } from "../core/trajectory.ts";
import { significantTokens } from "../sql/lexer.ts";
import { type MentionKind, mentionsIn } from "./privileged-mentions.ts";
import { literalsOf, namesOf, ShownSupport } from "./shown-support.ts";

/**
 * How a trace shows that its writer saw the gold. `given_answer`, `secrecy`, `grading`, `claimed_knowledge`: its
 * words say so. `teacher_prompt`: it quotes what only the teacher was given. `verbatim_gold`: it has the gold word for
 * word before any result. `encoded_gold`: it hides it. `unsupported_literal`, `unsupported_name`: a value, a table or
 * a column that nothing shown supports. `result_before_run`: it tells a result before a query gave it.
 */
export type LeakKind =
  | MentionKind
  | "teacher_prompt"
  | "verbatim_gold"
  | "encoded_gold"
  | "unsupported_literal"
  | "unsupported_name"
  | "result_before_run";

/** A leak: its kind, the message it is in, and the words that give it away. */
export interface Leak {
  readonly kind: LeakKind;
  /** 0-based, among the trajectory's messages. */
  readonly message: number;
  readonly words: string;
}

/** What stands behind a trace: `prompt` is the opening of the student, which does not show the gold. */
export interface TraceBackground {
  readonly example: Example;
  /** The schema; `null` leaves names unchecked where the prompt does not show them. */
  readonly database: DatabaseSchema | null;
  readonly prompt: readonly Message[];
}

/** A gold of fewer tokens can be written word for word by chance. */
const VERBATIM_TOKENS = 14;
/** Words in a row of the teacher's own prompt that are no chance. */
const QUOTED_WORDS = 6;
/** Words of queries in capitals: no values. */
const SQL_WORD = /^(?:[A-Z]+(?:\s+[A-Z]+)*)$/;
const FAILED =
  /\bno such (?:table|column|function)\b|\berror\b|\bno rows\b|\b0 rows\b|\[fault|Outcome: (?:error|empty)|^\s*\[\]\s*$|empty/i;

/**
 * The leaks of a privileged teacher's trace, in the order of its messages. It errs to the side of finding: a trace
 * refused for nothing costs less than one that teaches to guess. The rules are ours: the paper says no more than
 * that the trace must not show the gold. @paper ReToolSQL, warm start
 */
export function findLeaks(trajectory: Trajectory, background: TraceBackground): Leak[] {
  const { example } = background;
  const shown = new ShownSupport();
  for (const text of openingTexts(background)) shown.add(text);
  const golds = example.gold.map(foldSql);
  const secret = secretWords(trajectory, background);
  const leaks: Leak[] = [];
  let hasEvidence = false;
  for (const [place, message] of trajectory.messages.entries()) {
    if (message.origin === "environment" || message.origin === "injected") {
      shown.add(message.rawText);
      hasEvidence ||= message.origin === "environment";
      continue;
    }
    if (message.origin !== "sampled") continue;
    const later = trajectory.messages.slice(place + 1).filter(({ origin }) => origin === "environment");
    const turn = { message, place, trajectory, example, shown, golds, hasEvidence, later, secret };
    leaks.push(...mentionLeaks(turn), ...goldLeaks(turn), ...groundLeaks(turn));
  }
  return leaks;
}

interface Turn {
  readonly message: Message;
  readonly place: number;
  readonly trajectory: Trajectory;
  readonly example: Example;
  readonly shown: ShownSupport;
  /** Folded golds. */
  readonly golds: readonly string[];
  /** Whether a result was shown before. */
  readonly hasEvidence: boolean;
  /** Results to come. */
  readonly later: readonly Message[];
  readonly secret: ReadonlySet<string>;
}

function openingTexts({ example, database, prompt }: TraceBackground): string[] {
  const names = (database?.tables ?? []).flatMap(({ name, columns }) => [
    name,
    ...columns.map((column) => column.name),
  ]);
  return [
    example.question,
    example.evidence ?? "",
    ...example.history.map(({ question }) => question),
    ...prompt.map(({ rawText }) => rawText),
    ...(prompt.length === 0 ? [names.join(" ")] : []),
  ];
}

/** Runs of words that only the teacher was given, its gold left out. */
function secretWords(trajectory: Trajectory, { example, prompt }: TraceBackground): ReadonlySet<string> {
  const given = trajectory.messages.filter(({ origin }) => origin === "given").map(({ rawText }) => rawText);
  const withoutGold = example.gold.reduce(
    (text, gold) => text.replaceAll(gold.trim(), " \n "),
    given.join("\n"),
  );
  const secret = wordRuns(withoutGold);
  for (const run of wordRuns(prompt.map(({ rawText }) => rawText).join("\n"))) secret.delete(run);
  return prompt.length === 0 ? new Set() : secret;
}

function wordRuns(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const runs = new Set<string>();
  for (let start = 0; start + QUOTED_WORDS <= words.length; start += 1) {
    runs.add(words.slice(start, start + QUOTED_WORDS).join(" "));
  }
  return runs;
}

function mentionLeaks({ message, place, example, secret, hasEvidence }: Turn): Leak[] {
  const leaks: Leak[] = mentionsIn(message.rawText, example.evidence !== null && example.evidence !== "").map(
    ({ kind, words }) => ({ kind, message: place, words }),
  );
  const implied = impliedAnswer(message.rawText, !hasEvidence);
  if (implied !== null) leaks.push({ kind: "given_answer", message: place, words: implied });
  for (const run of wordRuns(message.rawText)) {
    if (!secret.has(run)) continue;
    leaks.push({ kind: "teacher_prompt", message: place, words: run });
    break;
  }
  return leaks;
}

function goldLeaks({ message, place, golds, hasEvidence, trajectory }: Turn): Leak[] {
  const text = foldSql(message.rawText.replace(/\\[nt]/g, " ").replace(/\\"/g, '"'));
  for (const gold of golds) {
    if (gold === "") continue;
    for (const word of message.rawText.match(/[A-Za-z0-9+/=]{20,}/g) ?? []) {
      if (decodings(word).some((decoded) => foldSql(decoded).includes(gold))) {
        return [{ kind: "encoded_gold", message: place, words: word }];
      }
    }
    if (text.includes(Array.from(gold).reverse().join(""))) {
      return [{ kind: "encoded_gold", message: place, words: "reversed" }];
    }
    if (hasEvidence || !text.includes(gold)) continue;
    const isAnswer = trajectory.messages.at(-1) === message && queriesOf(message).length === 0;
    const isLong = significantTokens(gold).length >= VERBATIM_TOKENS;
    const isProse = foldSql(proseOf(message, trajectory)).includes(gold);
    if (isLong || isAnswer || isProse) return [{ kind: "verbatim_gold", message: place, words: gold }];
  }
  return [];
}

function decodings(word: string): string[] {
  const hex = /^[0-9a-f]+$/i.test(word) ? [Buffer.from(word, "hex").toString("utf8")] : [];
  return [...hex, Buffer.from(word, "base64").toString("utf8")];
}

/** Values, names and results that nothing shown so far supports. */
function groundLeaks(turn: Turn): Leak[] {
  const { message, place, trajectory, shown, later } = turn;
  const isLast = trajectory.messages.at(-1) === message;
  const queries = [
    ...queriesOf(message),
    ...(isLast && trajectory.finalSql !== null ? [trajectory.finalSql] : []),
  ];
  const answer = later[0]?.rawText ?? "";
  const hasFailed = !isLast && FAILED.test(answer);
  const gold = goldParts(turn);
  const leaks: Leak[] = [];
  for (const sql of queries) {
    const { strings, numbers } = literalsOf(sql);
    const values = [
      ...strings.filter((value) => !shown.supportsText(value)),
      ...numbers.filter((value) => !shown.supportsNumber(value)),
    ];
    for (const value of values) {
      if (gold.literals.has(value.toLowerCase()) || !hasFailed) {
        leaks.push({ kind: "unsupported_literal", message: place, words: value });
      }
    }
    for (const name of namesOf(sql)) {
      if (!shown.has(name) && (gold.names.has(name) || !hasFailed)) {
        leaks.push({ kind: "unsupported_name", message: place, words: name });
      }
    }
  }
  return [...leaks, ...proseLeaks(turn, gold)];
}

interface GoldParts {
  readonly literals: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function goldParts({ example }: Turn): GoldParts {
  const literals = new Set<string>();
  const names = new Set<string>();
  for (const sql of example.gold) {
    const found = literalsOf(sql);
    for (const value of [...found.strings, ...found.numbers]) literals.add(value.toLowerCase());
    for (const name of namesOf(sql)) names.add(name);
  }
  return { literals, names };
}

/** What the prose says that only the gold or a later result can have told. */
function proseLeaks({ message, place, trajectory, shown, later }: Turn, gold: GoldParts): Leak[] {
  const prose = proseOf(message, trajectory);
  const folded = prose.toLowerCase();
  const leaks: Leak[] = [];
  for (const value of gold.literals) {
    const isNumber = /^[\d.]+$/.test(value);
    if (value.length < 3 || !hasWord(folded, value)) continue;
    if (isNumber ? shown.supportsNumber(value) : shown.supportsText(value)) continue;
    leaks.push({ kind: "unsupported_literal", message: place, words: value });
  }
  for (const name of gold.names) {
    if (name.length >= 4 && hasWord(folded, name) && !shown.has(name)) {
      leaks.push({ kind: "unsupported_name", message: place, words: name });
    }
  }
  const results = later.map(({ rawText }) => rawText.toLowerCase()).join("\n");
  if (results === "") return leaks;
  for (const told of toldValues(prose)) {
    const value = told.toLowerCase();
    const isNumber = /^[\d.,]+$/.test(value);
    if (isNumber ? shown.supportsNumber(value.replaceAll(",", "")) : shown.supportsText(value)) continue;
    if (hasWord(results, isNumber ? value.replaceAll(",", "") : value)) {
      leaks.push({ kind: "result_before_run", message: place, words: told });
    }
  }
  return leaks;
}

/** Values that prose can tell: numbers of two digits or more, what stands in quotes, and names in capitals. */
function toldValues(prose: string): Set<string> {
  const found = new Set<string>();
  for (const [value] of prose.matchAll(/(?<![\w.])\d{2,}(?:,\d{3})*(?:\.\d+)?(?![\w])/g)) found.add(value);
  for (const [, value = ""] of prose.matchAll(/["“'‘`]([^"”'’`\n]{3,60})["”'’`]/g)) found.add(value);
  for (const [value] of prose.matchAll(/\b\p{Lu}[\p{L}\p{N}'-]+(?:\s+\p{Lu}[\p{L}\p{N}'-]+)+/gu))
    found.add(value);
  for (const [value] of prose.matchAll(/(?<=[\p{Ll}\p{N},:;]\s)\p{Lu}[\p{L}\p{N}'-]{3,}/gu)) found.add(value);
  for (const value of found) if (SQL_WORD.test(value)) found.delete(value);
  return found;
}

/** A reply without its calls, its final query and its protocol's tags. */
function proseOf({ rawText, toolCalls }: Message, { finalSql }: Trajectory): string {
  let prose = rawText;
  for (const { argumentsRaw } of toolCalls) prose = prose.replaceAll(argumentsRaw, " ");
  prose = prose
    .replace(/<tool_call>[\s\S]*?(?:<\/tool_call>|$)/g, " ")
    .replace(/<final_answer>[\s\S]*?(?:<\/final_answer>|$)/g, " ");
  prose = prose.replace(/<(sql|solution|schema)>[\s\S]*?(?:<\/\1>|$)/g, " ").replace(/\[plan \w+\]/g, " ");
  if (finalSql !== null && finalSql !== "")
    prose = prose.replace(new RegExp("```[\\s\\S]*?(?:```|$)", "g"), " ");
  return prose.replace(/<\/?[a-z_]+>/g, " ");
}

function hasWord(text: string, word: string): boolean {
  let from = text.indexOf(word);
  while (from >= 0) {
    const before = text[from - 1] ?? " ";
    const after = text[from + word.length] ?? " ";
    if (!/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)) return true;
    from = text.indexOf(word, from + 1);
  }
  return false;
}

function foldSql(sql: string): string {
  return foldSpace(sql)
    .toLowerCase()
    .replaceAll('"', "'")
    .replace(/\s*([(),=<>])\s*/g, "$1");
}
