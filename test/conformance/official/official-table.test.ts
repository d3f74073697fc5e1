import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { scored } from "../../../core/verdict.ts";
import { type OfficialTable, OfficialTables, type TableColumn } from "../../../curation/official-table.ts";
import spiderEm from "../../../curation/metrics/spider-em.ts";
import spiderHardness from "../../../curation/metrics/spider-hardness.ts";
import { readTablesFile } from "../../../datasets/tables-file.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { EMPTY_RESULT } from "./empty-result.ts";

interface Interaction {
  readonly dataset: string;
  readonly system: string;
  readonly interaction: number;
  readonly turns: readonly {
    readonly hardness: string;
    readonly exact: number;
    readonly exec: number | string | null;
  }[];
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

const readShared = (folder: string, file: string): string => readFileSync(path.join(folder, file), "utf8");

/** The official verdicts added up; dialogues told apart by their ids, or by the order of their turns alone. */
function tablesOf(interactions: readonly Interaction[], withIds: boolean): Map<string, OfficialTable> {
  const tables = new OfficialTables();
  for (const { interaction, turns } of interactions) {
    turns.forEach(({ hardness, exact, exec }, turn) => {
      const dialogue = { id: withIds ? String(interaction) : null, turn };
      const ran = typeof exec === "number" ? { exec: scored(exec) } : {};
      tables.add({ hardness, difficulty: null, dialogue, verdicts: { exact: scored(exact), ...ran } });
    });
  }
  return new Map(tables.finish().map((table) => [table.by, table]));
}

function columnOf(table: OfficialTable | undefined, name: string): TableColumn | undefined {
  return table?.columns.find((column) => column.name === name);
}

/** Count and mean of the columns that have lines, but for those of all lines and of dialogues. */
function groupsOf(table: OfficialTable | undefined): Record<string, unknown> {
  const levels = (table?.columns ?? []).filter(
    ({ name, count }) => count > 0 && name !== "all" && name !== "joint",
  );
  return Object.fromEntries(
    levels.map(({ name, count, metrics }) => [name, { count, exact: metrics["exact"]?.mean }]),
  );
}

describeWithShared("the official tables against the official totals", (folder) => {
  const interactions = readShared(folder, "vectors/multiturn.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Interaction);
  const totals = JSON.parse(readShared(folder, "vectors/multiturn_totals.json")) as Totals[];
  const runs = totals.map(
    (total) =>
      [
        `${total.dataset}, ${total.system}`,
        total,
        interactions.filter((one) => one.dataset === total.dataset && one.system === total.system),
      ] as const,
  );

  it("has six of them", () => {
    expect(totals).toHaveLength(6);
  });

  it.each(runs)("agrees on every level and turn of %s", (_name, total, members) => {
    for (const withIds of [true, false]) {
      const tables = tablesOf(members, withIds);
      expect([...tables.keys()]).toEqual(["hardness", "turn"]);
      for (const table of tables.values()) {
        const all = columnOf(table, "all");
        expect([all?.count, all?.metrics["exact"]?.mean]).toEqual([total.turns, total.question_match]);
        const joint = columnOf(table, "joint");
        expect([joint?.count, joint?.metrics["exact"]?.mean]).toEqual([
          total.interactions,
          total.interaction_match,
        ]);
      }
      expect(groupsOf(tables.get("hardness"))).toEqual(total.by_hardness);
      expect(groupsOf(tables.get("turn"))).toEqual(total.by_turn);
    }
  });

  it.each(runs)("agrees on the execution accuracy of %s", (_name, total, members) => {
    const whole = members.filter(({ turns }) => turns.every(({ exec }) => typeof exec === "number"));
    const table = tablesOf(whole, true).get("turn");
    const { interactions: count, turns, question_exec, interaction_exec } = total.exec_subset;
    expect(columnOf(table, "all")?.metrics["exec"]).toEqual({ scored: turns, mean: question_exec });
    expect(columnOf(table, "joint")?.metrics["exec"]).toEqual({ scored: count, mean: interaction_exec });
  });

  it("gives Graphix its published exact match on Spider's dev set", async () => {
    const schemas = new Map(
      (await readTablesFile(path.join(folder, "data/spider/tables.json"))).map((schema) => [
        schema.databaseId,
        schema,
      ]),
    );
    const predictions = readShared(folder, "data/predictions/spider_dev/dail-sql__graphix_result.txt").split(
      "\n",
    );
    const tables = new OfficialTables();
    readShared(folder, "data/spider/dev_gold.sql")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .forEach((line, index) => {
        const [goldSql = "", databaseId = ""] = line.split("\t");
        const schema = schemas.get(databaseId.trim());
        if (schema === undefined) throw new Error(`no schema of ${databaseId}`);
        const predictedSql = predictions[index]?.split("\t")[0] ?? "";
        const verdict = spiderEm.judge({
          goldSql,
          predictedSql,
          gold: EMPTY_RESULT,
          predicted: EMPTY_RESULT,
          schema,
        });
        const label = spiderHardness.label(goldSql, schema);
        tables.add({
          hardness: label.status === "scored" ? label.label : null,
          difficulty: null,
          dialogue: null,
          verdicts: { "spider-em": verdict },
        });
      });
    const [table] = tables.finish();
    expect(table?.columns.map(({ name, count }) => [name, count])).toEqual([
      ["easy", 248],
      ["medium", 446],
      ["hard", 174],
      ["extra", 166],
      ["all", 1034],
    ]);
    expect(columnOf(table, "all")?.metrics["spider-em"]?.mean?.toFixed(5)).toBe("0.77079");
  });
});
