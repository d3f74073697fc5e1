import { GradusError } from "../core/errors.ts";
import type { PlugFinder } from "../core/plug.ts";
import { RunConfig } from "./config.ts";

/**
 * A judge's options from the ids of metrics and labels that `--metrics` lists, told apart.
 * @throws USAGE where no metric is among them, or one that only `gradus score` measures; PLUG_UNKNOWN.
 */
export async function judgeOptions(ids: readonly string[], plugs: PlugFinder): Promise<RunConfig["judge"]> {
  const found = await Promise.all(ids.map((id) => plugs.find("metric", id)));
  const metrics = found.filter((plug) => plug.kind === "metric");
  const measured = metrics.find(({ needs }) => needs.timings === true);
  if (metrics.length === 0) throw new GradusError("USAGE", "--metrics names no metric");
  if (measured !== undefined) {
    throw new GradusError("USAGE", `--metrics names ${measured.id}, which is a measurement`, {
      hint: `measure with gradus score --metrics ${measured.id}`,
    });
  }
  const defaults = RunConfig.shape.judge.parse({ metrics: metrics.map(({ id }) => id) });
  const labels = found.filter((plug) => plug.kind === "label").map(({ id }) => id);
  return { ...defaults, labels: [...new Set([...defaults.labels, ...labels])] };
}
