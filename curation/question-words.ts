/**
 * The words of a question, in order: lower case, without accents and punctuation, plural and verb endings taken off
 * where a word is long enough.
 */
export function questionWords(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem);
}

/** A question as it is compared for being the same: its words without endings taken off. */
export function sameQuestionKey(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");
}

function stem(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/([^s])s$/, "$1");
  return word.length > 5 ? singular.replace(/(?:ing|ed)$/, "") : singular;
}
