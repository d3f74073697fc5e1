import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import { comparedColumns } from "../../sql/compared-columns.ts";
import { significantTokens } from "../../sql/lexer.ts";

const column = (name: string, type: string) => ({ name, type, comment: "", primaryKey: 0 });
const SCHEMA: DatabaseSchema = {
  databaseId: "cars",
  tables: [
    { name: "Car", comment: "", columns: [column("Power", "VARCHAR(9)"), column("Weight", "INTEGER")] },
    { name: "Maker", comment: "", columns: [column("Rank", "TEXT"), column("Weight", "TEXT")] },
  ],
  foreignKeys: [],
};

function uses(sql: string): string[] {
  return comparedColumns(significantTokens(sql), SCHEMA).map(
    ({ table, column: name, by, literal }) => `${table}.${name} ${by} ${literal ?? "?"}`,
  );
}

describe("comparedColumns", () => {
  it.each([
    ["SELECT 1 FROM car ORDER BY power DESC LIMIT 1", ["Car.Power ORDER BY ?"]],
    [
      "SELECT 1 FROM car AS c JOIN maker m ORDER BY m.weight, c.POWER",
      ["Maker.Weight ORDER BY ?", "Car.Power ORDER BY ?"],
    ],
    ["SELECT max(power), MIN(Car.Power) FROM car", ["Car.Power MAX ?", "Car.Power MIN ?"]],
    ["SELECT 1 FROM car WHERE power > 150 AND '9' <= Power", ["Car.Power > 150", "Car.Power <= 9"]],
    ["SELECT 1 FROM car WHERE power NOT BETWEEN 1 AND 2", ["Car.Power BETWEEN 1"]],
    ["SELECT 1 FROM x WHERE a IN (SELECT rank FROM car, maker WHERE rank < 5)", ["Maker.Rank < 5"]],
    ["SELECT 1 FROM car WHERE power > (SELECT min(power) FROM car)", ["Car.Power > ?", "Car.Power MIN ?"]],
  ])("finds the text in %s", (sql, expected) => {
    expect(uses(sql)).toEqual(expected);
  });

  it.each([
    "SELECT power FROM car WHERE power = '5'",
    "SELECT 1 FROM car ORDER BY weight",
    "SELECT 1 FROM car ORDER BY CAST(power AS REAL)",
    "SELECT 1 FROM car ORDER BY power + 0",
    "SELECT max(power * 1.0) FROM car WHERE power + 0 > 3 AND 1 * power < 2",
    "SELECT 1 FROM car JOIN maker WHERE weight > 3",
    "SELECT power, weight FROM car GROUP BY power",
    "SELECT max FROM car",
  ])("finds none in %s", (sql) => {
    expect(uses(sql)).toEqual([]);
  });
});
