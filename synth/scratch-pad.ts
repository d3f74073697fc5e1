const PAD = "scratch_pad";
const PAD_SIGN = /<(\/?)(scratch_pad|tool_call|tool_response|final_answer)\s*>/gi;

/** A reply parted from its scratch pads. */
export interface PaddedReply {
  /** What the pads hold, trimmed; `null` without one. */
  readonly pad: string | null;
  /** What is no pad, as written. */
  readonly rest: string;
  /** Whether a pad never ends, so that nothing after it counts. */
  readonly isOpen: boolean;
}

/**
 * Parts a reply from the scratch pads before its first action: what stands in them means nothing, calls and
 * answers too. A closing tag whose opening is missing ends a pad that began with the reply.
 */
export function partPad(visible: string): PaddedReply {
  const pads: string[] = [];
  const rest: string[] = [];
  let from = 0;
  let inner: number | null = null;
  for (const found of visible.matchAll(PAD_SIGN)) {
    const isPad = (found[2] ?? "").toLowerCase() === PAD;
    const end = found.index + found[0].length;
    if (inner === null) {
      if (!isPad) break;
      if (found[1] !== "/") {
        rest.push(visible.slice(from, found.index));
        inner = end;
      } else if (pads.length === 0 && rest.length === 0) {
        pads.push(visible.slice(0, found.index).trim());
        from = end;
      }
    } else if (isPad && found[1] === "/") {
      pads.push(visible.slice(inner, found.index).trim());
      [inner, from] = [null, end];
    }
  }
  if (inner !== null) pads.push(visible.slice(inner).trim());
  else rest.push(visible.slice(from));
  const pad = pads.length === 0 ? null : pads.filter((part) => part !== "").join("\n\n");
  return { pad, rest: rest.join(""), isOpen: inner !== null };
}
