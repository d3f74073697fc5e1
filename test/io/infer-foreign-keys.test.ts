import { afterAll, expect, it } from "vitest";
import type { InferredForeignKey } from "../../core/database-profile.ts";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { inspectDatabase } from "../../io/inspect-database.ts";
import { profileDatabase } from "../../io/profile-database.ts";
import { DatabaseFixture } from "./database-fixture.ts";

const fixture = new DatabaseFixture();
let made = 0;

afterAll(() => {
  fixture.remove();
});

async function keys(script: string, minContained = 0.99): Promise<string[]> {
  made += 1;
  const file = fixture.create(`${made}.sqlite`, script);
  const request = { databaseId: "one", path: file, described: null, valuesPerColumn: 0 };
  const { inferredForeignKeys } = await profileDatabase(
    {
      database: await inspectDatabase(request, null),
      options: ProfileOptions.parse({ minContained }),
      file,
      indexFile: `${file}.index`,
    },
    { onStep: () => undefined, onProgress: () => Promise.resolve() },
  );
  return inferredForeignKeys.map(describe);
}

function describe(key: InferredForeignKey): string {
  const { distinct, contained, names } = key.evidence;
  return `${key.table}.${key.column} -> ${key.referencedTable}.${key.referencedColumn} ${contained} of ${distinct} ${names}`;
}

const TEAMS =
  "CREATE TABLE team (id INTEGER PRIMARY KEY, name); INSERT INTO team VALUES (1, 'a'), (2, 'b'), (3, 'c');";

it("names and data give a key that is not declared", async () => {
  expect(
    await keys(`${TEAMS} CREATE TABLE game (home_team_id, guest_team_id INTEGER REFERENCES team (id));
      INSERT INTO game VALUES (1, 2), (2, 2), (NULL, 3)`),
  ).toEqual(["game.home_team_id -> team.id 1 of 2 table_and_column"]);
});

it("data that are not contained give none, unless so much is allowed", async () => {
  const script = `${TEAMS} CREATE TABLE game (team_id); INSERT INTO game VALUES (1), (2), (9)`;
  expect(await keys(script)).toEqual([]);
  expect(await keys(script, 0.6)).toEqual([`game.team_id -> team.id ${2 / 3} of 3 table_and_column`]);
});

it("a column without values gives none", async () => {
  expect(await keys(`${TEAMS} CREATE TABLE game (team_id); INSERT INTO game VALUES (NULL)`, 0)).toEqual([]);
});

it("a column with a value twice is no key", async () => {
  const script = (codes: string): string =>
    `CREATE TABLE land (land_code TEXT); INSERT INTO land VALUES ${codes};
     CREATE TABLE town (land_code TEXT); INSERT INTO town VALUES ('no'), ('no')`;
  expect(await keys(script("('no'), ('se')"))).toEqual(["town.land_code -> land.land_code 1 of 1 same_name"]);
  expect(await keys(script("('no'), ('no')"))).toEqual([]);
});

it("text and numbers are compared as in a join", async () => {
  expect(
    await keys(`${TEAMS} CREATE TABLE game (team_id TEXT); INSERT INTO game VALUES ('1'), ('3'), ('3')`),
  ).toEqual(["game.team_id -> team.id 1 of 2 table_and_column"]);
});

it("of two columns that lead to each other, the primary key is led to, else the earlier", async () => {
  const rows = (table: string): string => `INSERT INTO ${table} VALUES ('p'), ('q');`;
  expect(
    await keys(
      `CREATE TABLE a (card_uuid); CREATE TABLE b (card_uuid TEXT PRIMARY KEY); ${rows("a")} ${rows("b")}`,
    ),
  ).toEqual(["a.card_uuid -> b.card_uuid 1 of 2 same_name"]);
  expect(
    await keys(`CREATE TABLE a (card_uuid); CREATE TABLE b (card_uuid); ${rows("a")} ${rows("b")}`),
  ).toEqual(["b.card_uuid -> a.card_uuid 1 of 2 same_name"]);
});

it("tables that all have an id do not refer to each other", async () => {
  expect(
    await keys(`${TEAMS} CREATE TABLE game (id INTEGER PRIMARY KEY); INSERT INTO game VALUES (1), (2)`),
  ).toEqual([]);
});

it("nothing leads back along a declared key, and no primary key to a column that is none", async () => {
  const claims = "CREATE TABLE claim (claim_id INTEGER PRIMARY KEY); INSERT INTO claim VALUES (1), (2);";
  for (const declared of ["", "REFERENCES claim (claim_id)"]) {
    const found = await keys(
      `${claims} CREATE TABLE settlement (claim_id INTEGER PRIMARY KEY ${declared});
       INSERT INTO settlement VALUES (1), (2)`,
    );
    expect(found).toEqual(declared === "" ? ["settlement.claim_id -> claim.claim_id 1 of 2 same_name"] : []);
  }
  expect(await keys(`${claims} CREATE TABLE note (claim_id); INSERT INTO note VALUES (1), (2), (3)`)).toEqual(
    [],
  );
});
