import { ProfileOptions } from "../../../core/database-profiler.ts";
import type { Json } from "../../../core/key.ts";
import type { ModelRequest } from "../../../core/model.ts";
import type { Scaffold } from "../../../core/scaffold.ts";
import type { QueryReply, QueryRequest } from "../../../core/sql-runner.ts";
import type { ShownTurn } from "../../../core/tool.ts";
import type { Trajectory } from "../../../core/trajectory.ts";
import { runEpisode } from "../../../synth/run-episode.ts";
import type { KnownQuestion } from "../../../synth/simulated/question-index.ts";
import { createSimulatedModel } from "../../../synth/simulated/respond.ts";
import { modelReply, ScriptedModel } from "../../fakes/model.ts";
import { NO_PROFILER } from "../../fakes/run-stage.ts";
import { FakeSqlRunner } from "../../fakes/sql-runner.ts";
import { newLedger } from "../episode-services.ts";
import { planOf } from "../episode-rows.ts";
import { FERRIES, plugs } from "../synth-rows.ts";

/** Gives every statement one reply. */
class OneReply extends FakeSqlRunner {
  readonly #reply: QueryReply;

  constructor(reply: QueryReply) {
    super();
    this.#reply = reply;
  }

  override async query(request: QueryRequest): Promise<QueryReply> {
    this.requests.push(request);
    return this.#reply;
  }
}

/** What a simulated episode is played with. */
export interface SimulatedEpisode {
  readonly scaffold: Scaffold;
  readonly options?: Readonly<Record<string, Json>>;
  readonly question: KnownQuestion;
  readonly history?: readonly ShownTurn[];
  /** What every statement gives. */
  readonly result: QueryReply;
  readonly competence: number;
}

/** Plays episodes of the simulated model under its own seeds, one for each sample index below `count`. */
export async function simulatedEpisodes(episode: SimulatedEpisode, count: number): Promise<Trajectory[]> {
  const { scaffold, question, result, competence, history = [] } = episode;
  const options = scaffold.options.parse(episode.options ?? {}) as Record<string, Json>;
  const tools = await Promise.all(scaffold.tools(options).map(({ id }) => plugs.find("tool", id)));
  const simulated = createSimulatedModel([question], { competence });
  const ledger = await newLedger();
  const trajectories: Trajectory[] = [];
  for (let sampleIndex = 0; sampleIndex < count; sampleIndex += 1) {
    const model = new ScriptedModel((request: ModelRequest) => {
      const { content, finishReason } = simulated.respond(request);
      return modelReply(content, { finishReason });
    });
    const opening = {
      example: question.example,
      database: FERRIES,
      schemaText: "CREATE TABLE boat (\n  boat_id INTEGER,\n  name TEXT,\n  seats INTEGER\n);",
      history,
      links: null,
    };
    const plan = planOf(scaffold, tools, {
      opening,
      options,
      sampleIndex,
      profileOptions: ProfileOptions.parse({}),
    });
    const outcome = await runEpisode(plan, {
      model,
      ledger,
      sql: new OneReply(result),
      profiler: NO_PROFILER,
      signal: new AbortController().signal,
    });
    if (outcome.kind !== "finished") throw new Error("expected a finished sample");
    trajectories.push(outcome.trajectory);
  }
  await ledger.close();
  return trajectories;
}

/** The texts of what was sampled. */
export function replies(trajectory: Trajectory): string[] {
  return trajectory.messages.filter(({ origin }) => origin === "sampled").map(({ rawText }) => rawText);
}
