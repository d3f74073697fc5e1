import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { significantTokens } from "../../sql/lexer.ts";

/**
 * SQL-Trail's n-gram similarity: the Jaccard index, from 0 to 1, of the sets of pairs of adjacent tokens of
 * both statements. The paper does not print its formula. Its tokens are, not in the paper: those that
 * SQLite's tokenizer makes, in lower case, literals and quoted names included, without white space, comments
 * and the semicolons at the end. Where neither statement has a pair, 1 when their tokens are the same, else
 * 0; where one has none, 0.
 *
 * @paper SQL-Trail section 3, auxiliary shaping rewards
 */
export default defineMetric({
  id: "bigram",
  version: 1,
  needs: { rows: false },
  deviations: ["the paper does not publish its tokens: these are SQLite's, in lower case"],
  judge({ goldSql, predictedSql }) {
    const gold = tokensOf(goldSql);
    const predicted = tokensOf(predictedSql);
    const expected = pairsOf(gold);
    const found = pairsOf(predicted);
    if (expected.size === 0 && found.size === 0) {
      return scored(gold.length === predicted.length && gold[0] === predicted[0] ? 1 : 0);
    }
    let shared = 0;
    for (const pair of found) if (expected.has(pair)) shared += 1;
    return scored(shared / (expected.size + found.size - shared));
  },
});

function tokensOf(sql: string): readonly string[] {
  const tokens = significantTokens(sql).map(({ text }) => text.toLowerCase());
  while (tokens.at(-1) === ";") tokens.pop();
  return tokens;
}

function pairsOf(tokens: readonly string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let index = 1; index < tokens.length; index += 1) {
    const first = tokens[index - 1] as string;
    pairs.add(`${first.length} ${first}${tokens[index]}`);
  }
  return pairs;
}
