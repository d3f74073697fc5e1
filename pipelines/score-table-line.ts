import type { LabelVerdict, Verdict } from "../core/verdict.ts";
import type { TableLine } from "../curation/official-table.ts";
import { SPIDER_HARDNESS_LEVELS } from "../sql/spider-hardness.ts";

/**
 * What the official tables take of a line of `gradus score`. Its levels are the labels `spider-hardness` and
 * `bird-difficulty` where they are asked for, else its field `difficulty`; its place in a dialogue are its fields `turn`
 * (a whole number) and `dialogue` (the dialogue's id, which may be left out). `metrics` are those that are no labels.
 */
export function tableLineOf(
  row: Readonly<Record<string, unknown>>,
  verdicts: Readonly<Record<string, Verdict | LabelVerdict>>,
  metrics: readonly string[],
): TableLine {
  const difficulty = publishedDifficulty(row);
  const { pred } = row;
  const isHardness = SPIDER_HARDNESS_LEVELS.some((level) => level === difficulty);
  return {
    hardness: levelOf(verdicts["spider-hardness"], isHardness ? difficulty : null),
    difficulty: levelOf(verdicts["bird-difficulty"], difficulty),
    dialogue: dialogueOf(row),
    holdsValue: typeof pred === "string" && pred.includes("value"),
    verdicts: Object.fromEntries(metrics.map((id) => [id, verdicts[id] as Verdict])),
  };
}

/** Whether a line has a field `turn` that is no place in a dialogue: no whole number from 0. */
export function isOddTurn({ turn }: Readonly<Record<string, unknown>>): boolean {
  return turn !== undefined && turn !== null && !isTurn(turn);
}

function isTurn(turn: unknown): turn is number {
  return typeof turn === "number" && Number.isSafeInteger(turn) && turn >= 0;
}

/** The dataset's own difficulty of a line; `null` where it has none. */
export function publishedDifficulty({ difficulty }: Readonly<Record<string, unknown>>): string | null {
  return typeof difficulty === "string" ? difficulty : null;
}

function levelOf(verdict: Verdict | LabelVerdict | undefined, published: string | null): string | null {
  if (verdict === undefined) return published;
  return "label" in verdict ? verdict.label : null;
}

function dialogueOf({ turn, dialogue }: Readonly<Record<string, unknown>>): TableLine["dialogue"] {
  if (!isTurn(turn)) return null;
  const hasId = typeof dialogue === "string" || typeof dialogue === "number";
  return { id: hasId ? String(dialogue) : null, turn };
}
