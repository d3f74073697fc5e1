/** What Python's `str.split()` and its `\s` take for white space. */
const WHITE_SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WHITE_SPACE_RUN = new RegExp(`[${WHITE_SPACE}]+`, "u");
const WHITE_SPACE_CHARACTER = new RegExp(`[${WHITE_SPACE}]`, "u");

/** May stand between a sentence's last period and its end. */
const CLOSERS = "])}>\"'»”’ ";

const PREFIXES_OF_EQUALS: ReadonlySet<string> = new Set(["!", ">", "<"]);

type Replacement = readonly [pattern: RegExp, replacement: string];

/** In this order: each sees the spaces that the ones before put in. Every pattern is linear. */
const SPLITS_INSIDE_TEXT: readonly Replacement[] = [
  [/([:,])(\P{Nd})/gsu, " $1 $2"],
  [/[:,]$/u, " $& "],
  [/\.{2,}/gu, " $& "],
  [/[;@#$%&?!*\][(){}<>]/gu, " $& "],
  [/--/gu, " -- "],
  [/[»”’]/gu, " $& "],
];

const WORD_START = "(?<![\\p{L}\\p{N}_])";
const WORD_END = "(?![\\p{L}\\p{N}_])";

/** Words the English tokenizer takes for two. */
const CONTRACTIONS: readonly Replacement[] = [
  ...(
    [
      ["can", "not"],
      ["gim", "me"],
      ["gon", "na"],
      ["got", "ta"],
      ["lem", "me"],
    ] as const
  ).map(
    ([head, tail]): Replacement => [
      new RegExp(`${WORD_START}(${head})(${tail})${WORD_END}`, "giu"),
      " $1 $2 ",
    ],
  ),
  [new RegExp(`${WORD_START}(wan)(na)(?=[${WHITE_SPACE}])`, "giu"), " $1 $2 "],
];

/**
 * The tokens on which Spider's grammar works, or undefined where the quotes do not pair up.
 *
 * Single quotes count as double quotes. String literals are single tokens with their case and quotes kept; the rest is
 * cut by `englishWords` and in lower case, and `!=`, `>=`, `<=` are one token even with a space inside. A literal that
 * touches a word or another literal merges with it into a token that stands for nothing.
 *
 * @paper Spider (Yu et al. 2018), official evaluation: tokenisation
 */
export function spiderTokens(sql: string): string[] | undefined {
  const pieces = sql.replaceAll("'", '"').split('"');
  if (pieces.length % 2 === 0) return undefined;
  const literals = new Map<string, string>();
  let offset = 0;
  const masked = pieces.map((piece, index) => {
    const start = offset - 1;
    offset += piece.length + 1;
    if (index % 2 === 0) return piece;
    const placeholder = `__val_${start}_${start + piece.length + 1}__`;
    literals.set(placeholder, `"${piece}"`);
    return placeholder;
  });
  return joinComparisons(
    englishWords(masked.join("")).map((word) => {
      const lowered = word.toLowerCase();
      return literals.get(lowered) ?? lowered;
    }),
  );
}

/**
 * Cuts a text without quotation marks into words as an English (Penn Treebank style) tokenizer does: brackets, `< >`,
 * backticks and `; @ # $ % & ? ! *` stand alone; `,` and `:` do unless a digit follows; `= + - /` and inner periods
 * stay in their word (`x=3`, `a-b`), and the period that ends the text is cut off.
 */
export function englishWords(text: string): string[] {
  let spaced = splitFinalPeriod(text.replaceAll(/[«“‘„]|`+/gu, " $& ").replaceAll("``", " `` "));
  for (const [pattern, replacement] of SPLITS_INSIDE_TEXT) spaced = spaced.replace(pattern, replacement);
  spaced = ` ${spaced} `;
  for (const [pattern, replacement] of CONTRACTIONS) spaced = spaced.replace(pattern, replacement);
  return spaced.split(WHITE_SPACE_RUN).filter((word) => word !== "");
}

function splitFinalPeriod(text: string): string {
  let closersEnd = text.length;
  while (closersEnd > 0 && WHITE_SPACE_CHARACTER.test(text.charAt(closersEnd - 1))) closersEnd -= 1;
  let closersStart = closersEnd;
  while (closersStart > 0 && CLOSERS.includes(text.charAt(closersStart - 1))) closersStart -= 1;
  const period = closersStart - 1;
  if (period < 1 || text.charAt(period) !== "." || text.charAt(period - 1) === ".") return text;
  return `${text.slice(0, period)} . ${text.slice(closersStart, closersEnd)} `;
}

function joinComparisons(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const previous = joined.at(-1);
    if (word === "=" && previous !== undefined && PREFIXES_OF_EQUALS.has(previous)) {
      joined[joined.length - 1] = `${previous}=`;
    } else {
      joined.push(word);
    }
  }
  return joined;
}
