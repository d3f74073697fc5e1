/**
 * The words of a table's or column's name in lower case: parted at whatever is no letter or digit, at capitals
 * (`eyeColour`, `CDSCode`), and between letters and digits.
 */
export function nameWords(name: string): string[] {
  return name
    .normalize("NFC")
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
}

/** A form that an English word and its plural share; words of up to three letters as they are. */
export function wordStem(word: string): string {
  if (word.length <= 3) return word;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  const one = /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
  return one.endsWith("ie") ? `${one.slice(0, -2)}y` : one;
}
