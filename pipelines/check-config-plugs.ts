import type { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { Json } from "../core/key.ts";
import type { PlugFinder } from "../core/plug.ts";
import { openReward } from "../curation/open-reward.ts";
import type { RunConfig } from "./config.ts";
import { issueText } from "./issue-text.ts";

type Checked = Pick<RunConfig, "answers" | "evaluation" | "prompt" | "judge"> &
  Partial<Pick<RunConfig, "curriculum" | "rewards" | "export">>;

/**
 * Holds what a config gives to its plugs against them, before anything is spent: the options of every scaffold and of the
 * curriculum, and that the metrics of a run are none that only measure.
 * @throws CONFIG_INVALID naming each place, the near miss of an unknown option and those that there are; PLUG_UNKNOWN, and what
 * {@link openReward} throws.
 */
export async function checkConfigPlugs(config: Checked, plugs: PlugFinder): Promise<void> {
  const problems: string[] = [];
  const check = async (place: string, id: string, options: Readonly<Record<string, Json>>): Promise<void> => {
    const scaffold = await plugs.find("scaffold", id);
    const parsed = scaffold.options.safeParse(options);
    for (const issue of parsed.error?.issues ?? []) {
      problems.push(`${place}.options of ${id}: ${issueText(issue, keysOf(scaffold.options))}`);
    }
    const prelude = parsed.success ? (scaffold.prelude?.(parsed.data) ?? null) : null;
    if (prelude !== null && prelude !== "gold_links") await check(place, prelude.scaffold, prelude.options);
  };
  for (const [index, { scaffold, options }] of config.answers.rollouts.entries()) {
    await check(`answers.rollouts.${index}`, scaffold, options);
  }
  for (const [index, { scaffold, options }] of (config.evaluation?.rollouts ?? []).entries()) {
    await check(`evaluation.rollouts.${index}`, scaffold, options);
  }
  const { scaffold, history, options } = config.prompt;
  await check("prompt", scaffold, { history, ...options });
  if (config.curriculum !== undefined) {
    const curriculum = await plugs.find("curriculum", config.curriculum.id);
    for (const issue of curriculum.options.safeParse(config.curriculum.options).error?.issues ?? []) {
      problems.push(
        `curriculum.options of ${curriculum.id}: ${issueText(issue, keysOf(curriculum.options))}`,
      );
    }
  }
  for (const id of config.judge.metrics) {
    const plug = await plugs.find("metric", id);
    if (plug.kind === "metric" && plug.needs.timings === true) {
      problems.push(`judge.metrics: ${id} only measures and has no place in a run: use gradus score`);
    }
  }
  for (const use of config.rewards ?? []) await openReward(use.id, use.options, plugs);
  problems.push(...(await exporterProblems(config.export, plugs)));
  if (problems.length === 0) return;
  throw new GradusError("CONFIG_INVALID", `cannot use the config: ${problems.join("; ")}`, {
    hint: "correct these keys: nothing was run",
  });
}

/** What is wrong with the options of exporters: of those that are asked for, and of names that are none. */
async function exporterProblems(given: Checked["export"], plugs: PlugFinder): Promise<string[]> {
  const problems: string[] = [];
  for (const id of new Set([...(given?.exporters ?? []), ...Object.keys(given?.options ?? {})])) {
    const exporter = await plugs.find("exporter", id);
    for (const issue of exporter.options.safeParse(given?.options[id] ?? {}).error?.issues ?? []) {
      problems.push(`export.options.${id}: ${issueText(issue, keysOf(exporter.options))}`);
    }
  }
  return problems;
}

function keysOf(options: z.ZodType): string[] {
  const { shape } = options as { readonly shape?: Readonly<Record<string, unknown>> };
  return Object.keys(shape ?? {});
}
