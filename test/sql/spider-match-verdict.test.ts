import { describe, expect, it } from "vitest";
import { SPIDER_MATCH_DEVIATIONS, spiderMatchVerdict } from "../../sql/spider-match-verdict.ts";
import { FLIGHT_SCHEMA } from "./flight-schema.ts";

const GOLD = "SELECT price FROM flight ORDER BY price LIMIT 1";
const refused = { status: "unscored", reason: "spider_parse_refused" };
const right = { status: "scored", score: 1 };
const wrong = { status: "scored", score: 0 };

function judge(goldSql: string, predictedSql: string, schema = FLIGHT_SCHEMA): readonly [unknown, unknown] {
  const pair = { goldSql, predictedSql, schema };
  return [spiderMatchVerdict(pair, "spider"), spiderMatchVerdict(pair, "test-suite")];
}

describe("spiderMatchVerdict", () => {
  it.each<readonly [gold: string, predicted: string, spider: unknown, testSuite: unknown]>([
    [GOLD, GOLD, right, right],
    [GOLD, "SELECT price FROM flight", wrong, wrong],
    // LIMIT with another token than an integer
    [GOLD, "SELECT price FROM flight ORDER BY price LIMIT 1.0", wrong, right],
    [GOLD, "SELECT price FROM flight ORDER BY price LIMIT many", wrong, right],
    ["SELECT price FROM flight ORDER BY price LIMIT 1.0", GOLD, refused, right],
    // `value` is 1, inside names too, and only in lower case
    [GOLD, "SELECT price FROM flight ORDER BY price LIMIT value", wrong, right],
    [
      "SELECT price FROM flight WHERE price = 3",
      "SELECT price FROM flight WHERE price = value",
      wrong,
      right,
    ],
    [
      "SELECT price FROM flight WHERE price = 3",
      "SELECT price FROM flight WHERE price = VALUE",
      wrong,
      wrong,
    ],
    ["SELECT price FROM flight AS values_of", "SELECT price FROM flight AS values_of", right, right],
    // A prediction outside the grammar is an empty query
    [GOLD, "", wrong, wrong],
    [GOLD, "SELECT price AS p FROM flight", wrong, wrong],
    [GOLD, "SELECT 'open FROM flight", wrong, wrong],
    // A gold outside it has no verdict
    ["SELECT nothing FROM flight", GOLD, refused, refused],
    ["", "", refused, refused],
  ])("%s | %s", (gold, predicted, spider, testSuite) => {
    const verdicts = judge(gold, predicted);
    expect(verdicts[0]).toMatchObject(spider as object);
    expect(verdicts[1]).toMatchObject(testSuite as object);
  });

  it("reads a column with value in its name as another in the test suite's script", () => {
    const schema = {
      ...FLIGHT_SCHEMA,
      tables: [
        {
          name: "sale",
          comment: "",
          columns: ["total_value", "id"].map((name) => ({ name, type: "", comment: "", primaryKey: 0 })),
        },
      ],
    };
    const sql = "SELECT total_value FROM sale";
    expect(judge(sql, sql, schema)).toMatchObject([right, wrong]);
    expect(judge(sql, sql.toUpperCase(), schema)).toMatchObject([right, right]);
  });

  it("says how each component fared", () => {
    const gold = "SELECT code FROM airport WHERE country = 'Italy'";
    expect(judge(gold, "SELECT code, city FROM airport")[0]).toEqual({
      ...wrong,
      details: {
        select: [0, 0, 0, 1, 2],
        "select(no AGG)": [0, 0, 0, 1, 2],
        where: [0, 0, 0, 1, 0],
        "where(no OP)": [0, 0, 0, 1, 0],
        "group(no Having)": [1, 1, 1, 0, 0],
        group: [1, 1, 1, 0, 0],
        order: [1, 1, 1, 0, 0],
        "and/or": [1, 1, 1, 1, 1],
        IUEN: [1, 1, 1, 0, 0],
        keywords: [0, 0, 0, 1, 0],
      },
    });
  });

  it("has no verdict where the official script stops, and says why", () => {
    const sql = "SELECT count(*) FROM (SELECT city FROM airport) (SELECT name FROM airline)";
    for (const verdict of judge(sql, sql)) {
      expect(verdict).toMatchObject({ status: "unscored", reason: "official_crash" });
    }
    expect(judge("SELECT", GOLD)[0]).toMatchObject({ message: expect.stringMatching(/^unexpected_end: /u) });
  });

  it("says how it departs from the scripts", () => {
    expect(SPIDER_MATCH_DEVIATIONS).toHaveLength(2);
  });
});
