import { z } from "zod";
import type { DialogueTurn } from "../core/example.ts";
import { type RowContent, type RowProblem, Written, problemsOf } from "./question-rows.ts";

/** A dialogue of SParC or CoSQL; what else it holds (`final`, tokens) is passed over. */
export const InteractionRow = z.object({ database_id: Written, interaction: z.array(z.unknown()).min(1) });

const Turn = z.object({ utterance: Written, query: z.unknown().optional() });

/**
 * One example a turn, `i:t`, its history the earlier turns with their golds. A turn without a query is a
 * problem of its own and stays in the history of later turns with no gold; a turn without an utterance ends
 * the dialogue, because what was asked before the later turns is then unknown.
 */
export function* dialogueTurns(
  row: z.infer<typeof InteractionRow>,
  index: number,
  place: string,
): Generator<RowContent | RowProblem> {
  const turns = row.interaction.length;
  const history: DialogueTurn[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const rowId = `${place}.interaction[${turn}]`;
    const parsed = Turn.safeParse(row.interaction[turn]);
    if (!parsed.success) {
      const later = turn + 1 < turns ? ` (turns ${turn + 1} to ${turns - 1} left out with it)` : "";
      yield { rowId, problem: `${problemsOf(parsed.error)}${later}` };
      return;
    }
    const question = parsed.data.utterance;
    const query = Written.safeParse(parsed.data.query);
    const gold = query.success ? joinOperators(query.data) : null;
    if (gold === null) {
      yield { rowId, problem: "query: expected the SQL of the turn" };
    } else {
      yield {
        sourceId: `${index}:${turn}`,
        databaseId: row.database_id,
        question,
        gold: [gold],
        history: [...history],
        dialogue: { id: String(index), turn, turns },
      };
    }
    history.push({ question, gold });
  }
}

/**
 * Undoes the tokeniser's split of `!=`, `>=` and `<=`, as the official evaluators do before they run a
 * query: every `! =`, `> =`, `< =` with exactly one space, wherever it stands.
 */
export function joinOperators(sql: string): string {
  return sql.replaceAll("! =", "!=").replaceAll("> =", ">=").replaceAll("< =", "<=");
}
