import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { openConnection } from "../../io/sql-driver.ts";
import { hostile } from "./hostile-statement.ts";
import type { HostileDatabase, HostileStatement } from "./hostile-statement.ts";

const PAGE_BYTES = 512;
const DATABASES: readonly HostileDatabase[] = ["shop", "trap", "torn", "stats", "loop"];

const SHOP = `
  PRAGMA page_size = ${PAGE_BYTES};
  CREATE TABLE shop (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, rating REAL);
  INSERT INTO shop VALUES (1, 'Ada', 4.5), (2, 'Bo', 3.5), (3, NULL, NULL);
  CREATE TABLE sale (shop_id INTEGER REFERENCES shop (id), day TEXT);
  WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 60)
    INSERT INTO sale SELECT 1 + i % 3, 'day ' || i FROM r;
  CREATE INDEX sale_day ON sale (day);
  CREATE VIEW best AS SELECT name FROM shop WHERE rating > 4;
  CREATE TRIGGER kept AFTER DELETE ON sale BEGIN SELECT 1; END;
  CREATE VIRTUAL TABLE words USING fts5(word);
  INSERT INTO words VALUES ('shop'), ('other');
  CREATE VIRTUAL TABLE old_words USING fts4(word);
  INSERT INTO old_words VALUES ('shop'), ('other');
  ANALYZE;
`;

const NUMBERS = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)";
const DOUBLING_VIEWS = 26;

/** A schema that does harm when it is read. */
const TRAP = `
  CREATE VIEW endless AS ${NUMBERS} SELECT count(*) AS n FROM r;
  CREATE VIEW flood AS ${NUMBERS} SELECT shop.name, r.i FROM shop, r;
  CREATE VIEW extension AS SELECT load_extension('canary.so') AS loaded;
  CREATE VIEW tokenizer AS SELECT fts3_tokenizer('simple') AS pointer;
  CREATE VIEW pages AS SELECT data FROM sqlite_dbpage;
  CREATE VIEW paths AS SELECT file FROM pragma_database_list;
  CREATE VIEW setting AS SELECT * FROM pragma_user_version(7);
  CREATE VIEW elsewhere AS SELECT * FROM main.missing;
  CREATE VIEW circle_a AS SELECT * FROM circle_b;
  CREATE VIEW circle_b AS SELECT * FROM circle_a;
  CREATE VIEW doubled_0 AS SELECT 1 AS i;
  ${Array.from(
    { length: DOUBLING_VIEWS },
    (_, index) =>
      `CREATE VIEW doubled_${index + 1} AS SELECT a.i FROM doubled_${index} a, doubled_${index} b;`,
  ).join("\n")}
  CREATE VIEW wide_name AS SELECT 1 AS "${"n".repeat(100_000)}";
  CREATE VIEW schema_view AS SELECT name, sql FROM sqlite_schema;
  CREATE TABLE bomb (id INTEGER, big TEXT AS (hex(zeroblob(60000000))));
  INSERT INTO bomb (id) VALUES (1), (2), (3);
  CREATE TABLE slow (id INTEGER, text TEXT AS (replace(hex(zeroblob(1000000)), '0', 'z')));
  WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 5000)
    INSERT INTO slow (id) SELECT i FROM r;
  CREATE TABLE late (id INTEGER DEFAULT (hex(zeroblob(100000000))), CHECK (id NOT LIKE '%%%%%%a'));
  INSERT INTO late (id) VALUES (1);
  CREATE TABLE nul (word TEXT AS ('a' || char(0) || id), id INTEGER);
  INSERT INTO nul (id) VALUES (1);
  CREATE TRIGGER greedy AFTER INSERT ON sale BEGIN DELETE FROM shop; END;
  CREATE TRIGGER forged INSTEAD OF INSERT ON best BEGIN DELETE FROM shop; END;
  CREATE VIRTUAL TABLE page_table USING dbstat;
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
  CREATE VIRTUAL TABLE mirror USING fts5(day, content = 'sale');
  CREATE VIRTUAL TABLE foreign_content USING fts5(n, content = 'endless', content_rowid = 'n');
`;

/** Planner statistics that are absurd or broken. */
const STATS = `
  UPDATE sqlite_stat1 SET stat = '99999999999999999999 -1 0 x unordered sz=-7 noskipscan' WHERE tbl = 'sale';
  INSERT INTO sqlite_stat1 VALUES ('shop', 'nothing', NULL), (NULL, NULL, x'ff'), ('sale', 'sale_day', zeroblob(9000));
  DELETE FROM sqlite_stat4;
  INSERT INTO sqlite_stat4 VALUES
    ('sale', 'sale_day', '1 1', '-1 99999999999', '0 0', x'ffffffffffffffffff'),
    ('sale', 'sale_day', '', '', '', x'7f'),
    ('sale', 'sale_day', NULL, NULL, NULL, NULL),
    ('shop', 'missing', '1', '1', '1', zeroblob(8000));
`;

/** The file of every hostile database in `folder`, made there. */
export function makeHostileDatabases(folder: string): Readonly<Record<HostileDatabase, string>> {
  const entries = DATABASES.map((id) => [id, path.join(folder, `${id}.sqlite`)] as const);
  const files = Object.fromEntries(entries) as Record<HostileDatabase, string>;
  for (const file of Object.values(files)) execute(file, SHOP);
  execute(files.trap, TRAP);
  execute(files.stats, STATS);
  execute(files.torn, `CREATE TABLE torn (a TEXT); ${fill("torn", 40)}`);
  tear(files.torn);
  execute(
    files.loop,
    `CREATE TABLE loop (a TEXT); INSERT INTO loop VALUES ('x'); CREATE TABLE spare (a TEXT);`,
  );
  execute(files.loop, fill("spare", 40));
  makeLoop(files.loop);
  return files;
}

function execute(file: string, script: string): void {
  const connection = openConnection(file, { readOnly: false, enableForeignKeyConstraints: false });
  connection.exec(script);
  connection.close();
}

function fill(table: string, rows: number): string {
  return `WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT ${rows})
    INSERT INTO ${table} SELECT hex(zeroblob(150)) FROM r;`;
}

/** Overwrites the last pages, which hold the rows of `torn`, with what is no page. */
function tear(file: string): void {
  const bytes = readFileSync(file);
  for (let index = bytes.length - 20 * PAGE_BYTES; index < bytes.length; index += 1) {
    bytes[index] = (index * 131) % 251;
  }
  writeFileSync(file, bytes);
}

const LEAF = 13;
const INTERIOR = 5;
const LEVELS = 8;
const CHILDREN = 60;

/**
 * Makes the table `loop` a tree of a few pages that each name one child many times: 60 to the eighth rows in
 * a file of a few pages.
 */
function makeLoop(file: string): void {
  const bytes = readFileSync(file);
  const root = rootPage(file, "loop");
  const page = (number: number): Buffer => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
  const last = bytes.length / PAGE_BYTES;
  const spare = Array.from({ length: last }, (_, index) => last - index).filter(
    (number) => page(number)[0] === LEAF && number !== root,
  );
  const levels = [root, ...spare.slice(0, LEVELS)];
  page(root).copy(page(levels[LEVELS] as number));
  for (let level = 0; level < LEVELS; level += 1) {
    writeInterior(page(levels[level] as number), levels[level + 1] as number);
  }
  const handle = openSync(file, "r+");
  writeSync(handle, bytes);
  closeSync(handle);
}

function writeInterior(page: Buffer, child: number): void {
  page.fill(0);
  page[0] = INTERIOR;
  page.writeUInt16BE(CHILDREN, 3);
  const cells = PAGE_BYTES - CHILDREN * 5;
  page.writeUInt16BE(cells, 5);
  page.writeUInt32BE(child, 8);
  for (let index = 0; index < CHILDREN; index += 1) {
    const cell = cells + index * 5;
    page.writeUInt16BE(cell, 12 + index * 2);
    page.writeUInt32BE(child, cell);
    page[cell + 4] = 1;
  }
}

function rootPage(file: string, table: string): number {
  const connection = openConnection(file, { readOnly: true });
  const [row] = connection.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`).all();
  connection.close();
  return (row as { rootpage: number }).rootpage;
}

/** Statements that are hostile for the database they run on. */
export const TRAPS: readonly HostileStatement[] = [
  ...hostile("timeout", ["SELECT n FROM endless", "SELECT * FROM shop, endless"], {
    database: "trap",
    heavy: true,
  }),
  ...hostile("too_large", ["SELECT * FROM flood"], { database: "trap" }),
  // Its rows are those of the gold, again and again: comparing them comes to no end.
  ...hostile("too_large|timeout", ["SELECT name FROM flood"], { database: "trap", heavy: true }),
  ...hostile(
    "denied|error",
    [
      "SELECT * FROM extension",
      "SELECT * FROM tokenizer",
      "SELECT * FROM pages",
      "SELECT * FROM paths",
      "SELECT * FROM setting",
      "INSERT INTO sale VALUES (1, 'x')",
      "INSERT INTO best VALUES ('x')",
    ],
    { database: "trap" },
  ),
  ...hostile("error", ["SELECT * FROM elsewhere", "SELECT * FROM circle_a", "SELECT * FROM circle_b, shop"], {
    database: "trap",
  }),
  ...hostile(
    "error|timeout|crashed|too_large|ok",
    [
      "SELECT count(*) FROM doubled_26",
      "SELECT length(big) FROM bomb",
      "SELECT big FROM bomb",
      "SELECT count(*) FROM bomb WHERE big LIKE '%1%'",
      "SELECT sum(length(text)) FROM slow",
      "SELECT * FROM slow ORDER BY text",
      `SELECT ${Array.from({ length: 1900 }, () => "w.*").join(", ")} FROM wide_name w`,
      "SELECT * FROM foreign_content",
    ],
    { database: "trap", heavy: true },
  ),
  ...hostile(
    "ok|empty",
    [
      "SELECT id, length(text), 'x' FROM slow LIMIT 1",
      "SELECT name FROM schema_view LIMIT 2",
      "SELECT * FROM foreign_content('x')",
      "SELECT id, 'x' FROM late",
      "SELECT id FROM slow LIMIT 5",
      "SELECT word FROM nul",
      "SELECT * FROM vocabulary",
      "SELECT day FROM mirror LIMIT 2",
      "SELECT name FROM page_table LIMIT 2",
    ],
    { database: "trap" },
  ),
  ...hostile(
    "error",
    ["SELECT * FROM torn", "SELECT count(a) FROM torn", "SELECT max(a) FROM torn ORDER BY 1"],
    {
      database: "torn",
    },
  ),
  ...hostile("ok|empty", ["SELECT name FROM shop ORDER BY name"], { database: "torn" }),
  ...hostile(
    "ok|empty|error",
    [
      "SELECT * FROM sale WHERE day = 'day 7'",
      "SELECT * FROM sale WHERE day > 'day 2' AND day < 'day 4' AND shop_id = 1",
      "SELECT * FROM shop JOIN sale ON shop.id = sale.shop_id WHERE day LIKE 'day 1%' ORDER BY day",
      "SELECT * FROM sqlite_stat1",
      "SELECT sample FROM sqlite_stat4",
    ],
    { database: "stats" },
  ),
  ...hostile("timeout|error", ["SELECT count(*) FROM loop", "SELECT max(a || 'x') FROM loop"], {
    database: "loop",
    heavy: true,
  }),
  ...hostile("too_large|error", ["SELECT a FROM loop"], { database: "loop" }),
];
