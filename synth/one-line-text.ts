const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
};

/** Control and format characters, lone surrogates, and the two separators that break lines. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text on one line: what breaks lines or cannot be seen becomes `\n`, `\r`, `\t` or `\uXXXX`. */
export function oneLineText(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

/** {@link oneLineText} with backslashes doubled, so that every text is written in a way of its own. */
export function oneLineCell(text: string): string {
  return oneLineText(text.replaceAll("\\", String.raw`\\`));
}

/** At most `maxCharacters` code points, and `…` when there are more; what already is so short with its `…` stays. */
export function shortenText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const characters = Array.from(text);
  if (characters.length <= maxCharacters) return text;
  if (characters.length === maxCharacters + 1 && characters.at(-1) === "…") return text;
  return `${characters.slice(0, maxCharacters).join("")}…`;
}

function escapeCharacter(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
