import { keyOf } from "../core/key.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { ExportRow } from "../core/shard.ts";
import type { PlugUse } from "../core/trajectory.ts";

/** What a scaffold says of the rows of its episodes. */
export type ScaffoldFacts = Pick<ExportRow, "scaffold" | "tools" | "toolNames" | "task">;

/**
 * Gives what scaffolds say of their rows, each asked once: the tools that requests carried, byte for byte, the names
 * of all tools, and the task. Of a scaffold that is no plug here, or of options that it does not take, nothing.
 */
export function scaffoldFacts(plugs: PlugFinder): (use: PlugUse) => Promise<ScaffoldFacts> {
  const known = new Map<string, Promise<ScaffoldFacts>>();
  return (use) => {
    const key = keyOf({ id: use.id, options: use.options });
    let facts = known.get(key);
    if (facts === undefined) {
      facts = ask(use, plugs);
      known.set(key, facts);
    }
    return facts;
  };
}

async function ask(use: PlugUse, plugs: PlugFinder): Promise<ScaffoldFacts> {
  const nothing: ScaffoldFacts = { scaffold: use, tools: [], toolNames: [], task: "sql" };
  if (!(await plugs.list("scaffold")).includes(use.id)) return nothing;
  const scaffold = await plugs.find("scaffold", use.id);
  const parsed = scaffold.options.safeParse(use.options);
  if (!parsed.success) return nothing;
  const tools = await Promise.all(scaffold.tools(parsed.data).map(({ id }) => plugs.find("tool", id)));
  return {
    scaffold: { ...use, version: scaffold.version },
    tools: scaffold.nativeTools(parsed.data) ? tools.map(({ schema }) => schema) : [],
    toolNames: tools.map(({ schema }) => schema.name),
    task: scaffold.task ?? "sql",
  };
}
