/** What stands between a tag and its end, as offsets into the text. */
export interface TagBlock<Name extends string> {
  readonly name: Name;
  /** Trimmed; of one that never ends, what follows its opening. */
  readonly inner: string;
  readonly start: number;
  readonly end: number;
  /** Whether its closing tag is there. */
  readonly isClosed: boolean;
}

/** A part of a text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the blocks of the tags `names`, in order; in time linear in the text.
 * - Tags may be in any case, with white space before their `>`. What stands in `skipped` (calls, which are
 *   apart and in order), between `<think>` and its end, or between `<tool_response>` and its end means nothing.
 * - A block begins at the opening tag nearest to its end; one of another name gives up one that is open.
 * - A closing tag alone means nothing. The last block may lack its end.
 */
export function tagBlocks<const Name extends string>(
  text: string,
  names: readonly Name[],
  skipped: readonly TextSpan[],
): TagBlock<Name>[] {
  const blocks: TagBlock<Name>[] = [];
  const listed = new Map<string, Name>(names.map((name) => [name.toLowerCase(), name]));
  const sign = new RegExp(`<(/?)(${[...names, "think", "tool_response"].join("|")})\\s*>`, "gi");
  let open: { readonly name: Name; readonly start: number; readonly inner: number } | null = null;
  let hidden: string | null = null;
  let skip = 0;
  for (const found of text.matchAll(sign)) {
    const tag = (found[2] ?? "").toLowerCase();
    const isClosing = found[1] === "/";
    const end = found.index + found[0].length;
    while (skip < skipped.length && (skipped[skip]?.end ?? 0) <= found.index) skip += 1;
    if ((skipped[skip]?.start ?? text.length) <= found.index) continue;
    const name = listed.get(tag);
    if (hidden !== null) {
      if (isClosing && tag === hidden) hidden = null;
    } else if (name === undefined) {
      if (!isClosing) [hidden, open] = [tag, null];
    } else if (!isClosing) {
      open = { name, start: found.index, inner: end };
    } else if (open?.name === name) {
      const inner = text.slice(open.inner, found.index).trim();
      blocks.push({ name, inner, start: open.start, end, isClosed: true });
      open = null;
    }
  }
  if (open !== null) {
    const inner = text.slice(open.inner).trim();
    blocks.push({ name: open.name, inner, start: open.start, end: text.length, isClosed: false });
  }
  return blocks;
}
