/** A thing that answers, without the words for results. */
const ANSWER = "(?:quer(?:y|ies)|sql|answers?|solutions?|statements?)";
const STATES = `(?:uses?|has|joins?|filters?|sorts?|groups?|counts?|selects?|orders?|picks?|contains?|reads?|says?|shows?|goes|takes?|limits?|ends?|starts?)`;

/** Ways to speak of an answer that exists already, without naming who gave it. */
const INDIRECT = new RegExp(
  [
    String.raw`\b(?:somebody|someone|whoever|the\s+(?:person|people|one)s?\s+who)\b[^.\n]{0,40}\b(?:used|answered|wrote|solved|filtered|grouped|sorted|did)\b`,
    String.raw`\b(?:they|he|she)\s+(?:have\s+|has\s+|had\s+)?(?:used|answered|wrote|solved|filtered\s+on|grouped\s+by|sorted\s+by)\b`,
    String.raw`\b(?:in|from|of|by|to)\s+the\s+(?:right|correct|known|true|worked)\s+${ANSWER}\b`,
    String.raw`\b(?:supposed|meant|expected|need|ought|should|have)\s+(?:to\s+)?(?:arrive\s+at|end\s+up\s+(?:at|with)|land\s+(?:at|on))\b`,
    String.raw`\b(?:supposed|meant)\s+to\s+(?:reach|get|write|give|produce|find)\b`,
    String.raw`\b(?:asked|told|required|instructed|ordered|forbidden|advised)\s+(?:me\s+)?(?:not\s+)?to\s+(?:not\s+)?(?:tell|say|reveal|mention|show|quote|disclose|hide|conceal|keep)\b`,
    String.raw`\binstructions?\s+(?:already\s+)?(?:disclose|reveal|betray|give\s+away|spell\s+out|hand)s?\b`,
    String.raw`\b${ANSWER}\s+from\s+the\s+(?:start|outset|beginning|very\s+first)\b`,
    String.raw`\b(?:worked|stored|associated|leaked|filed|saved|linked|accompanying|matching|paired|supplied|recorded)\s+(?:\w+\s+)?${ANSWER}\b`,
    String.raw`\b(?:know|known|learned|learnt|gather|see)\s+(?:of|about|from)\s+the\s+(?:\w+\s+)?${ANSWER}\b`,
    String.raw`\b${ANSWER}\s+(?:at|on|in)\s+the\s+(?:top|bottom|beginning|first\s+line|last\s+line|header|input)\b`,
    String.raw`\b(?:input|context|conversation|message)\s+(?:already\s+)?(?:includes?|contains?|holds?|has|comes\s+with)\s+(?:the|a|an)\s+(?:\w+\s+)?${ANSWER}\b`,
    String.raw`\b(?:exploration|checking|running\s+it|looking)\s+(?:here\s+)?is\s+(?:only\s+|just\s+)?(?:a\s+formality|for\s+show|pro\s+forma|unnecessary)\b`,
  ].join("|"),
  "iu",
);

/** Before a trace has written any query, a statement or solution that has properties is somebody else's. */
const BEFORE_ANY = new RegExp(
  String.raw`\b(?:the|their|its|this|that|\w+'s)\s+(?:\w+\s+){0,2}(?:sql|statement|solution)\s+(?:that\s+|which\s+)?${STATES}\b`,
  "iu",
);

/**
 * How a text speaks of an answer that it takes for granted, in its own words; `null` where it does not. `isFirst`: nothing
 * was written or shown before it.
 */
export function impliedAnswer(text: string, isFirst: boolean): string | null {
  return INDIRECT.exec(text)?.[0] ?? (isFirst ? (BEFORE_ANY.exec(text)?.[0] ?? null) : null);
}
