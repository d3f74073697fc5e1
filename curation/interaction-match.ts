import { scored, unscored, type Verdict } from "../core/verdict.ts";

/** A turn of a dialogue as it was judged. */
export interface JudgedTurn {
  readonly dialogueId: string;
  /** 0-based. */
  readonly turn: number;
  /** The hardness of its gold, `null` where it has none. */
  readonly hardness: string | null;
  /** `null` where there is no prediction for the turn. */
  readonly verdict: Verdict | null;
}

/** Turns or dialogues, and the share of them that is right; `null` where there is none. */
export interface MatchFigures {
  readonly count: number;
  readonly match: number | null;
}

/**
 * Question match and interaction match with their parts. Every turn is counted once, as scored, unscored or missing;
 * so is every dialogue.
 */
export interface InteractionMatch {
  /** Over scored turns. */
  readonly questions: MatchFigures;
  readonly unscoredTurns: number;
  /** Turns without a prediction. */
  readonly missingTurns: number;
  /** Over dialogues with at least one scored turn and no unscored one: right when every scored turn is. */
  readonly interactions: MatchFigures;
  readonly unscoredInteractions: number;
  /** Dialogues without a prediction for any turn. */
  readonly missingInteractions: number;
  /** Scored turns by place: `turn:1` to `turn:4` and `turn:>4`; only those that there are. */
  readonly byTurn: Readonly<Record<string, MatchFigures>>;
  /** Scored turns by hardness, in the order of first use; those without one under `unknown`. */
  readonly byHardness: Readonly<Record<string, MatchFigures>>;
}

/** Turns from this one on are one group. */
const LATE_TURN = 5;

/** The groups of turns by their place in a dialogue, in order. */
export const TURN_GROUPS: readonly string[] = [
  ...Array.from({ length: LATE_TURN - 1 }, (_, index) => `turn:${index + 1}`),
  `turn:>${LATE_TURN - 1}`,
];

/** The group of a turn by its 0-based place. */
export function turnGroupOf(turn: number): string {
  return TURN_GROUPS[Math.min(turn, LATE_TURN - 1)] as string;
}

/**
 * The verdict on a dialogue from those on its turns: 1 when every turn has score 1, else 0. Unscored with the first
 * reason where a turn is unscored, and `no_turns` where there is no turn: of nothing there is no score.
 */
export function dialogueVerdict(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts;
  if (first === undefined) return unscored("no_turns", "the dialogue has no judged turn");
  const open = verdicts.find((verdict) => verdict.status === "unscored");
  return open ?? scored(verdicts.every(isRight) ? 1 : 0);
}

/**
 * Question match and interaction match over the turns of dialogues, in any order. Turns without a prediction are not
 * evaluated, as where the official script pairs turns one by one, but are counted. A dialogue with an unscored turn
 * stays apart.
 *
 * @paper SParC (Yu et al. 2019), section 6: question match, interaction match
 */
export function interactionMatch(turns: Iterable<JudgedTurn>): InteractionMatch {
  const questions = new Share();
  const byTurn = new Map(TURN_GROUPS.map((group) => [group, new Share()]));
  const byHardness = new Map<string, Share>();
  const dialogues = new Map<string, Verdict[]>();
  let unscoredTurns = 0;
  let missingTurns = 0;
  for (const { dialogueId, turn, hardness, verdict } of turns) {
    const verdicts = dialogues.get(dialogueId) ?? [];
    dialogues.set(dialogueId, verdicts);
    if (verdict === null) {
      missingTurns += 1;
      continue;
    }
    verdicts.push(verdict);
    if (verdict.status === "unscored") {
      unscoredTurns += 1;
      continue;
    }
    const level = byHardness.get(hardness ?? "unknown") ?? new Share();
    byHardness.set(hardness ?? "unknown", level);
    for (const share of [questions, byTurn.get(turnGroupOf(turn)), level]) share?.add(isRight(verdict));
  }
  return {
    questions: questions.figures(),
    unscoredTurns,
    missingTurns,
    ...interactionsOf([...dialogues.values()]),
    byTurn: figuresOf(byTurn),
    byHardness: figuresOf(byHardness),
  };
}

function interactionsOf(
  dialogues: readonly (readonly Verdict[])[],
): Pick<InteractionMatch, "interactions" | "unscoredInteractions" | "missingInteractions"> {
  const judged = dialogues.filter((verdicts) => verdicts.length > 0).map(dialogueVerdict);
  const interactions = new Share();
  for (const verdict of judged) if (verdict.status === "scored") interactions.add(isRight(verdict));
  return {
    interactions: interactions.figures(),
    unscoredInteractions: judged.filter((verdict) => verdict.status === "unscored").length,
    missingInteractions: dialogues.length - judged.length,
  };
}

function isRight(verdict: Verdict): boolean {
  return verdict.status === "scored" && verdict.score === 1;
}

function figuresOf(shares: ReadonlyMap<string, Share>): Record<string, MatchFigures> {
  return Object.fromEntries(
    [...shares]
      .map(([group, share]) => [group, share.figures()] as const)
      .filter(([, { count }]) => count > 0),
  );
}

/** How many there are and how many of them are right. */
class Share {
  #count = 0;
  #right = 0;

  add(right: boolean): void {
    this.#count += 1;
    if (right) this.#right += 1;
  }

  figures(): MatchFigures {
    return { count: this.#count, match: this.#count === 0 ? null : this.#right / this.#count };
  }
}
