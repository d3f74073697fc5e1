import { ProfileOptions } from "../../../core/database-profiler.ts";
import type { Example } from "../../../core/example.ts";
import { scored } from "../../../core/verdict.ts";
import { openReward } from "../../../curation/open-reward.ts";
import { parseRunConfig } from "../../../pipelines/config.ts";
import { EnvEpisodes } from "../../../pipelines/serve/env-episodes.ts";
import { EnvRollouts } from "../../../pipelines/serve/env-rollouts.ts";
import { ServedExamples } from "../../../pipelines/serve/served-examples.ts";
import { judgingOf, type ServedRun } from "../../../pipelines/serve/served-run.ts";
import { rolloutOptions } from "../../../pipelines/rollout-steps.ts";
import type { OpenServices } from "../../../pipelines/run-services.ts";
import { Openings } from "../../../synth/openings.ts";
import { RolloutOptions } from "../../../synth/sample-options.ts";
import { executed, FakeJudge } from "../../fakes/judge.ts";
import { FakeProfiler } from "../../fakes/profiler.ts";
import { FakeSqlRunner, tableReply } from "../../fakes/sql-runner.ts";
import { example, FERRIES, plugs } from "../../synth/synth-rows.ts";

/** The gold of every question of the fixture. */
export const GOLD = "SELECT name FROM boat";

/** The questions 1 and 2, and 3:1, the second of a dialogue. */
export const EXAMPLES: readonly Example[] = [
  example("1"),
  example("2", { dataset: { name: "other", release: "1", split: "dev" } }),
  example("3:1", {
    history: [{ question: "How many boats?", gold: "SELECT count(*) FROM boat" }],
    dialogue: { id: "3", turn: 1, turns: 2 },
  }),
];

const JUDGED = {
  [GOLD]: { execution: executed("ok"), verdict: scored(1) },
  "SELECT 1": { execution: executed("ok"), verdict: scored(0) },
};

const opened: ServedExamples[] = [];

/** Closes what a test file has opened. */
export async function closeServed(): Promise<void> {
  for (const served of opened.splice(0)) await served.close();
}

/** A run of `rollouts` on the ferries whose judge and SQL are hand-made. */
export async function servedRun(
  rollouts: readonly unknown[] = ROLLOUTS,
  examples = EXAMPLES,
): Promise<ServedRun> {
  const config = parseRunConfig(
    {
      gradus: 1,
      name: "ferries",
      datasets: [{ loader: "spider", root: "./none", split: "dev" }],
      models: { student: { provider: "simulated", name: "simulated" } },
      answers: { rollouts },
      prompt: { scaffold: "sql-trail" },
      rewards: [{ id: "outcome" }],
    },
    "run.yaml",
  );
  const rows = async function* (): AsyncGenerator<Example> {
    for (const row of examples) yield await Promise.resolve(row);
  };
  const served = await ServedExamples.read(rows());
  opened.push(served);
  const dialect = await plugs.find("schema-dialect", "omnisql-ddl");
  const profileOptions = ProfileOptions.parse({});
  const openings = new Openings({ dialect, retrievesValues: false, profileOptions }, new FakeProfiler());
  openings.addDatabase(FERRIES);
  const services = {
    plugs,
    judge: new FakeJudge({ golds: { [GOLD]: executed("ok") }, answers: JUDGED }),
    sql: new FakeSqlRunner({ [GOLD]: tableReply(["name"], [["Tern"], ["Gull"]]) }),
    profiler: new FakeProfiler(),
  } as unknown as OpenServices;
  return {
    config,
    examples: served,
    openings,
    databases: new Map([[FERRIES.databaseId, FERRIES]]),
    services,
    rollouts: config.answers.rollouts.map((rollout) =>
      RolloutOptions.parse(rolloutOptions(rollout, config.models)),
    ),
    rewards: [await openReward("outcome", {}, plugs)],
    judging: judgingOf(config, services),
    signal: new AbortController().signal,
    close: () => Promise.resolve(),
  };
}

const ROLLOUTS = [
  { model: "student", scaffold: "single-turn", samples: 1 },
  { model: "student", scaffold: "sql-trail", samples: 1 },
];

/** What routes work with, over {@link servedRun}. */
export async function servedParts(limits = { idleMs: 60_000, maxEpisodes: 10 }) {
  const run = await servedRun();
  return { run, rollouts: new EnvRollouts(run, null), episodes: new EnvEpisodes(limits) };
}
