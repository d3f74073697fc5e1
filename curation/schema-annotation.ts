import { z } from "zod";
import type { LinkedTable, Trajectory } from "../core/trajectory.ts";
import { repliesOf } from "./trajectory-signs.ts";

const Annotation = z.record(z.string(), z.array(z.string()));

/**
 * The tables and columns that the replies say their query uses: the last closed `<schema>` block that is one JSON
 * object with a list of columns for each table; none where there is no such block.
 * @paper ReToolSQL, turn protocol; the block is ours
 */
export function annotatedLinks(trajectory: Trajectory): LinkedTable[] {
  for (const { content } of repliesOf(trajectory).reverse()) {
    const blocks = content
      .split(/<schema>/i)
      .slice(1)
      .reverse();
    for (const block of blocks) {
      const end = block.search(/<\/schema>/i);
      const links = end < 0 ? null : read(block.slice(0, end));
      if (links !== null) return links;
    }
  }
  return [];
}

function read(text: string): LinkedTable[] | null {
  try {
    const bare = text
      .trim()
      .replace(/^```\w*\s/, "")
      .replace(/```$/, "");
    const parsed = Annotation.safeParse(JSON.parse(bare));
    if (!parsed.success) return null;
    return Object.entries(parsed.data).map(([table, columns]) => ({ table, columns }));
  } catch {
    return null;
  }
}
