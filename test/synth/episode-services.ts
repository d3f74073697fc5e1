import path from "node:path";
import type { Ledger } from "../../core/ledger.ts";
import { sampleId } from "../../core/trajectory.ts";
import { openLedger, type SqliteLedger } from "../../io/ledger.ts";
import { resolvePlan, type EpisodePlan } from "../../synth/episode-plan.ts";
import sqlTrail from "../../synth/scaffolds/sql-trail.ts";
import sqlTool from "../../synth/tools/execute-sql-dataframe.ts";
import { ScriptedModel, type ScriptLine } from "../fakes/model.ts";
import { NO_PROFILER } from "../fakes/run-stage.ts";
import { FakeSqlRunner, tableReply } from "../fakes/sql-runner.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { planOf } from "./episode-rows.ts";

export const COUNT = "SELECT count(*) FROM boat";
export const NAMES = "SELECT name FROM boat";
/** An action, a reply without one, and the answer. */
export const SCRIPT: readonly string[] = [
  `<reasoning>boat: name</reasoning><sql>${COUNT}</sql>`,
  "no tags here",
  `<reasoning>fine</reasoning><solution>${NAMES}</solution>`,
];
/** The sql-trail scaffold on the ferries. */
export const TRAIL = planOf(sqlTrail, [sqlTool]);

/** An empty ledger in a folder of its own. */
export async function newLedger(): Promise<SqliteLedger> {
  return openLedger(path.join(await temporaryFolder(), "ledger.sqlite"));
}

/** Knows {@link COUNT} alone. */
export function runner(): FakeSqlRunner {
  return new FakeSqlRunner({ [COUNT]: tableReply(["count(*)"], [[3]]) });
}

/** What an episode runs on, by a script, with the controller of its signal. */
export async function services(script: readonly ScriptLine[], ledger?: Ledger) {
  const model = new ScriptedModel(script);
  const sql = runner();
  const controller = new AbortController();
  return {
    model,
    sql,
    profiler: NO_PROFILER,
    ledger: ledger ?? (await newLedger()),
    signal: controller.signal,
    controller,
  };
}

/** The sample that a plan is for. */
export const idOf = (plan: EpisodePlan): string => sampleId(resolvePlan(plan).identity);
