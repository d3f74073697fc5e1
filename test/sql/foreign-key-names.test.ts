import { expect, it } from "vitest";
import { keyNames, namedColumn } from "../../sql/foreign-key-names.ts";

function rule(from: string, to: string, isPrimaryKey = true): string | null {
  const [source, target] = [from, to].map((place) => namedColumn(...(place.split(".") as [string, string])));
  return keyNames(source as never, target as never, isPrimaryKey)?.rule ?? null;
}

it.each([
  ["orders.customer_id", "customers.id", "table_and_column"],
  ["superhero.eye_colour_id", "colour.id", "table_and_column"],
  ["cards.setCode", "sets.code", "table_and_column"],
  ["cards.setcode", "sets.code", "table_and_column"],
  ["orders.customer_id", "customer.customer_id", "same_name"],
  ["match.home_team_api_id", "team.team_api_id", "same_name"],
  ["employee.manager_employee_id", "employee.employee_id", "same_name"],
  ["races.year", "seasons.year", "same_name"],
  ["income.link_to_member", "member.member_id", "table_name"],
  ["hero_power.hero_id", "superhero.key", "table_name"],
])("%s can be a key to %s by %s", (from, to, expected) => {
  expect(rule(from, to)).toBe(expected);
});

it.each([
  ["every table has an id", "orders.id", "customers.id"],
  ["a name is no link to another", "orders.order_date", "customers.customer_id"],
  ["a column is no key to itself under its table's name", "colour.colour", "colour.id"],
  ["an ending of a table's name has to be a word before a word for a key", "orders.hero", "superhero.id"],
  ["three letters are too few for an ending", "orders.ero_id", "superhero.id"],
])("%s", (_, from, to) => {
  expect(rule(from, to)).toBeNull();
});

it("common names and names of tables refer to primary keys only", () => {
  expect(rule("races.year", "seasons.year", false)).toBeNull();
  expect(rule("income.link_to_member", "member.member_id", false)).toBeNull();
  expect(rule("orders.customer_id", "customer.customer_id", false)).toBe("same_name");
});

it("the table's and the column's name are surer than the name alone, and that than an ending", () => {
  const rank = (from: string, to: string): number => {
    const [source, target] = [from, to].map((place) =>
      namedColumn(...(place.split(".") as [string, string])),
    );
    return keyNames(source as never, target as never, true)?.rank ?? Number.NaN;
  };
  const ranks = [
    rank("a.team_id", "team.id"),
    rank("a.team_id", "b.team_id"),
    rank("a.home_team_id", "b.team_id"),
    rank("a.link_to_team", "team.key"),
    rank("a.team_id", "superteam.key"),
  ];
  expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
  expect(new Set(ranks).size).toBe(ranks.length);
});
