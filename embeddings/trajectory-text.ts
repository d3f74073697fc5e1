import { actionsOf } from "../core/trajectory-actions.ts";
import type { Trajectory } from "../core/trajectory.ts";

/** What of a trajectory is embedded. */
export type EmbeddedPart = "sql" | "actions" | "thoughts";

/**
 * The text of a trajectory that is embedded: by default its actions (`step` and `call` lines) and the SQL that it
 * ran and answered, never the prompt, which all samples of a question share, and no results. `thoughts` adds what
 * it reasoned.
 */
export function trajectoryText(
  trajectory: Pick<Trajectory, "messages" | "finalSql">,
  parts: readonly EmbeddedPart[],
): string {
  const lines: string[] = [];
  const sampled = trajectory.messages.filter(({ origin }) => origin === "sampled");
  if (parts.includes("actions")) {
    for (const { steps = [] } of sampled) if (steps.length > 0) lines.push(`step ${steps.join(" ")}`);
  }
  for (const { name, text } of actionsOf(trajectory)) {
    if (parts.includes("actions")) lines.push(`call ${name}`);
    if (parts.includes("sql") && text !== "") lines.push(text);
  }
  if (parts.includes("thoughts")) {
    for (const { reasoning } of sampled) if (reasoning !== null && reasoning !== "") lines.push(reasoning);
  }
  return lines.join("\n");
}
