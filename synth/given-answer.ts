const QUERY = "(?:quer(?:y|ies)|sql|answers?|solutions?|statements?)";
const OWNER = "(?:gold(?:en)?|reference|ground[- ]?truth|oracle|official|hidden|privileged)";
const GIVEN = "(?:given|provided|shown|supplied|known|revealed|told|disclosed)";
const RIGHT = "(?:correct|right)";

/** Words by which a trace tells that it was written with the answer at hand. */
const MENTIONS: readonly RegExp[] = [
  new RegExp(String.raw`\b${OWNER}\s+(?:sql\s+)?${QUERY}\b`, "i"),
  /\bground[- ]truth\b/i,
  /\b(?:expected|target)\s+(?:sql|query|solution)\b/i,
  new RegExp(String.raw`\b${GIVEN}\s+(?:${RIGHT}\s+|sql\s+|final\s+)*${QUERY}\b`, "i"),
  new RegExp(
    String.raw`\b${RIGHT}\s+${QUERY}\s+(?:that\s+)?(?:(?:is|was|were|I\s+was|we\s+were)\s+)?(?:${GIVEN}|below|above)\b`,
    "i",
  ),
  new RegExp(
    String.raw`\b${QUERY}\s+(?:that\s+)?(?:I|we)\s+(?:was|were|am|are|have\s+been)\s+${GIVEN}\b`,
    "i",
  ),
  /\bfor (?:my|your) eyes only\b/i,
  new RegExp(
    String.raw`\b(?:already|secretly)\s+(?:know|have|see)\s+the\s+(?:${RIGHT}\s+|final\s+)?${QUERY}\b`,
    "i",
  ),
  new RegExp(String.raw`\bmatch(?:es|ing)?\s+the\s+(?:${RIGHT}|known)\s+${QUERY}\b`, "i"),
];

/**
 * Whether a text speaks of an answer that its writer was given. It errs to the side of finding: a trace that
 * is refused for nothing costs less than one that teaches to refer to what is not there.
 */
export function mentionsGivenAnswer(text: string): boolean {
  return MENTIONS.some((mention) => mention.test(text));
}
