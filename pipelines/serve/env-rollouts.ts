import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import { canonicalJson, type Json } from "../../core/key.ts";
import type { Model } from "../../core/model.ts";
import { RecentMap } from "../../core/recent-map.ts";
import type { ShownTurn } from "../../core/tool.ts";
import type { OpenRollout } from "../../synth/play-sample.ts";
import { RolloutOptions } from "../../synth/sample-options.ts";
import { openRollout } from "../../synth/sample.ts";
import { shownHistory } from "../../synth/shown-history.ts";
import type { ServedRun } from "./served-run.ts";

/** Rollouts that are kept open; clients mostly ask for one or two. */
const KEPT_OPEN = 64;

/** Which protocol an episode follows, as a client says it. */
export const RolloutChoice = z.strictObject({
  /** The scaffold; left out, that of the config's prompt. */
  scaffold: z.string().optional(),
  /** Options of the scaffold in place of the config's. */
  options: z.record(z.string(), z.unknown()).optional(),
  /** Mode of the guardrails: `training` ends an episode at a violation, `test` tells the agent. */
  mode: z.enum(["training", "test"]).optional(),
});
export type RolloutChoice = z.infer<typeof RolloutChoice>;

/** Opens rollouts as clients choose them; nobody is asked by them until they get a model. */
export class EnvRollouts {
  readonly #run: ServedRun;
  readonly #mode: "training" | "test" | null;
  readonly #open = new RecentMap<string, Promise<OpenRollout>>(KEPT_OPEN);

  /** `mode`: that of the guardrails where a client does not say; `null` leaves the config's. */
  constructor(run: ServedRun, mode: "training" | "test" | null) {
    this.#run = run;
    this.#mode = mode;
  }

  /**
   * The scaffold where a client names none: that of the config's prompt where a rollout has it, else of the last rollout.
   */
  get scaffold(): string {
    const { rollouts, config } = this.#run;
    const { scaffold } = config.prompt;
    if (rollouts.length === 0 || rollouts.some((rollout) => rollout.scaffold === scaffold)) return scaffold;
    return (rollouts.at(-1) as RolloutOptions).scaffold;
  }

  /**
   * The rollout of a scaffold, of several the last: options and sampling are its own.
   * @throws PLUG_UNKNOWN, EPISODE_OPTIONS_INVALID.
   */
  take(choice: RolloutChoice): Promise<OpenRollout> {
    const key = canonicalJson(JSON.parse(JSON.stringify(choice)) as Json);
    let found = this.#open.get(key);
    if (found === undefined) {
      found = this.#openOne(choice);
      this.#open.set(key, found);
      found.catch(() => this.#open.delete(key));
    }
    return found;
  }

  async #openOne(choice: RolloutChoice): Promise<OpenRollout> {
    const { rollouts, services } = this.#run;
    const scaffold = choice.scaffold ?? this.scaffold;
    const fitting = rollouts.findLast((rollout) => rollout.scaffold === scaffold);
    const plan = fitting ?? { ...(rollouts.at(-1) ?? UNASKED), scaffold, options: {} };
    const given = choice.options as Readonly<Record<string, Json>> | undefined;
    const plug = await services.plugs.find("scaffold", plan.scaffold);
    const asked = withMode(given ?? plan.options, choice.mode ?? null);
    const byMode = withMode(asked, choice.mode ?? this.#mode);
    // A scaffold without guardrails has no mode for the service's own to change.
    const options = choice.mode === undefined && !plug.options.safeParse(byMode).success ? asked : byMode;
    const parsed = plug.options.safeParse(options);
    if (!parsed.success) throw invalidOptions(plan.scaffold, z.prettifyError(parsed.error));
    const models = { open: () => Promise.resolve(NOBODY) };
    const opened = { ...plan, options: options as RolloutOptions["options"], stopEarly: null };
    return openRollout(opened, { plugs: services.plugs, models });
  }
}

/**
 * The history that an episode shows. Where the policy is `predicted` the client tells what was answered to the turns
 * before, oldest first, `null` for no answer.
 * @throws EPISODE_HISTORY_MISSING.
 */
export function historyOf(
  example: Example,
  { history }: OpenRollout,
  answers: readonly (string | null)[] | undefined,
): readonly ShownTurn[] {
  if (history !== "predicted" || example.history.length === 0) return shownHistory(example, history);
  if (answers?.length !== example.history.length) {
    throw new GradusError(
      "EPISODE_HISTORY_MISSING",
      `the scaffold shows what was answered to the ${example.history.length} turns before, got ${answers?.length ?? 0} answers`,
      { hint: "give previous_answers: one for each earlier turn, null for none" },
    );
  }
  return example.history.map(({ question }, turn) => ({ question, sql: answers[turn] ?? null }));
}

/** A rollout of a config that samples nothing: sampling parameters are told to clients, which may do otherwise. */
const UNASKED: RolloutOptions = RolloutOptions.parse({
  role: "client",
  model: { name: "client", revision: "" },
  simulated: false,
  scaffold: "single-turn",
  options: {},
  samples: 1,
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 2_048, extra: {} },
  maxCompletionTokens: null,
  stopEarly: null,
  lookahead: 1,
});

const NOBODY: Model = {
  complete: () => Promise.reject(new Error("an episode's own model answers")),
  account: () => ({ requests: 0, retries: 0, promptTokens: 0, completionTokens: 0, costMicroUsd: 0 }),
  close: () => Promise.resolve(),
};

function withMode(
  options: Readonly<Record<string, Json>>,
  mode: "training" | "test" | null,
): Readonly<Record<string, Json>> {
  if (mode === null) return options;
  const given = z.record(z.string(), z.json()).safeParse(options["guardrails"]).data ?? {};
  return { ...options, guardrails: { ...given, mode } };
}

function invalidOptions(scaffold: string, problem: string): GradusError {
  return new GradusError(
    "EPISODE_OPTIONS_INVALID",
    `cannot use the scaffold ${scaffold} with its options: ${problem.replace(/\s*\n\s*/g, " ")}`,
    { hint: "a scaffold without guardrails takes no mode; docs/plugs.md lists scaffolds" },
  );
}
