import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { DatabaseSchema } from "../../../core/database.ts";
import { scored, unscored } from "../../../core/verdict.ts";
import type { Verdict } from "../../../core/verdict.ts";
import { interactionMatch } from "../../../curation/interaction-match.ts";
import type { JudgedTurn, MatchFigures } from "../../../curation/interaction-match.ts";
import spiderEmTestsuite from "../../../curation/metrics/spider-em-testsuite.ts";
import spiderHardness from "../../../curation/metrics/spider-hardness.ts";
import { readTablesFile } from "../../../datasets/tables-file.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { EMPTY_RESULT } from "./empty-result.ts";

interface Turn {
  readonly gold: string;
  readonly pred: string;
  readonly hardness: string;
  readonly exact: number;
  /** A text where the official run ends with an error, `null` where there is no database. */
  readonly exec: number | string | null;
}

interface Interaction {
  readonly dataset: string;
  readonly system: string;
  readonly interaction: number;
  readonly db_id: string;
  readonly turns: readonly Turn[];
  readonly interaction_exact: number;
}

interface Group {
  readonly count: number;
  readonly exact: number;
}

interface Totals {
  readonly dataset: string;
  readonly system: string;
  readonly interactions: number;
  readonly turns: number;
  readonly question_match: number;
  readonly interaction_match: number;
  readonly by_turn: Readonly<Record<string, Group>>;
  readonly by_hardness: Readonly<Record<string, Group>>;
  readonly exec_subset: {
    readonly interactions: number;
    readonly turns: number;
    readonly question_exec: number;
    readonly interaction_exec: number;
  };
}

function readJson(folder: string, file: string): string {
  return readFileSync(path.join(folder, "vectors", file), "utf8");
}

/** The figures under the official names. */
function officialGroups(groups: Readonly<Record<string, MatchFigures>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(groups).map(([group, { count, match }]) => {
      const name = group.startsWith("turn:")
        ? group.replace("turn:>", "turn > ").replace("turn:", "turn ")
        : group;
      return [name, { count, exact: match }];
    }),
  );
}

function turnsOf(
  interactions: readonly Interaction[],
  verdictOf: (turn: Turn, databaseId: string) => Verdict,
): JudgedTurn[] {
  return interactions.flatMap(({ interaction, turns, db_id: databaseId }) =>
    turns.map((turn, index) => ({
      dialogueId: String(interaction),
      turn: index,
      hardness: turn.hardness,
      verdict: verdictOf(turn, databaseId),
    })),
  );
}

function execution({ exec }: Turn): Verdict {
  return typeof exec === "number" ? scored(exec) : unscored("not_run", String(exec));
}

describeWithShared("question and interaction match against the official totals", (folder) => {
  const interactions = readJson(folder, "multiturn.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Interaction);
  const totals = JSON.parse(readJson(folder, "multiturn_totals.json")) as Totals[];
  const runs = totals.map(
    (total) =>
      [
        `${total.dataset}, ${total.system}`,
        total,
        interactions.filter((one) => one.dataset === total.dataset && one.system === total.system),
      ] as const,
  );

  it("has the totals of every interaction", () => {
    expect(runs.flatMap(([, , members]) => members)).toHaveLength(interactions.length);
    expect(interactions).toHaveLength(1199);
    expect(totals).toHaveLength(6);
  });

  it.each(runs)("agrees on exact match of %s", async (name, total, members) => {
    const schemas = new Map(
      (await readTablesFile(path.join(folder, "data", total.dataset, "tables.json"))).map((schema) => [
        schema.databaseId,
        schema,
      ]),
    );
    const differences: unknown[] = [];
    const judged = turnsOf(members, (turn, databaseId) => {
      const schema = schemas.get(databaseId) as DatabaseSchema;
      const pair = {
        goldSql: turn.gold,
        predictedSql: turn.pred,
        gold: EMPTY_RESULT,
        predicted: EMPTY_RESULT,
      };
      const verdict = spiderEmTestsuite.judge({ ...pair, schema });
      const label = spiderHardness.label(turn.gold, schema);
      const isSame =
        verdict.status === "scored" &&
        verdict.score === turn.exact &&
        label.status === "scored" &&
        label.label === turn.hardness;
      if (!isSame) differences.push({ turn, databaseId, verdict, label });
      return verdict;
    });
    expect(differences).toEqual([]);
    const result = interactionMatch(judged);
    console.info(
      `${name}: QM ${result.questions.match} of ${result.questions.count}, ` +
        `IM ${result.interactions.match} of ${result.interactions.count}`,
    );
    expect(result.questions).toEqual({ count: total.turns, match: total.question_match });
    expect(result.interactions).toEqual({ count: total.interactions, match: total.interaction_match });
    expect(officialGroups(result.byTurn)).toEqual(total.by_turn);
    expect(officialGroups(result.byHardness)).toEqual(total.by_hardness);
    const exact = members.filter((member) => member.interaction_exact === 1).length;
    expect(result.interactions.match).toBe(exact / members.length);
  });

  it.each(runs)("agrees on the recorded execution accuracy of %s", (_name, total, members) => {
    const all = interactionMatch(turnsOf(members, execution));
    const { interactions: count, turns, question_exec, interaction_exec } = total.exec_subset;
    expect(all.interactions).toEqual({ count, match: interaction_exec });
    expect(all.unscoredInteractions).toBe(total.interactions - count);
    // The official share of questions is over whole interactions alone.
    const whole = members.filter((member) => member.turns.every((turn) => typeof turn.exec === "number"));
    expect(interactionMatch(turnsOf(whole, execution)).questions).toEqual({
      count: turns,
      match: question_exec,
    });
  });
});
