import { createWriteStream, mkdirSync, type WriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import Database from "better-sqlite3";

/** A question of the fixture with the answer that a model gave. */
export interface FixtureQuestion {
  readonly question: string;
  readonly query: string;
  readonly answer: string;
}

const SHOPS = "CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, staff INTEGER);";
const STOCK = `${SHOPS} INSERT INTO shop VALUES (1, 'Quay', 3), (2, 'Mill', 5), (3, 'Gate', 9);`;

const TABLES = {
  table_names_original: ["shop"],
  table_names: ["shop"],
  column_names_original: [
    [-1, "*"],
    [0, "id"],
    [0, "name"],
    [0, "staff"],
  ],
  column_names: [
    [-1, "*"],
    [0, "id"],
    [0, "name"],
    [0, "staff"],
  ],
  column_types: ["text", "number", "text", "number"],
  primary_keys: [1],
  foreign_keys: [],
};

/** Counts to `steps` in SQL, to keep a worker busy, and then asks for the shops with more staff than `above`. */
export function slowQuery(steps: number, above: number): string {
  const count = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps})`;
  return `${count} SELECT name FROM shop WHERE staff > ${above} AND (SELECT max(i) FROM n) > 0`;
}

/** Questions on the shops: of every three, one answered rightly, one wrongly, one with what does not run. */
export function shopQuestions(count: number): FixtureQuestion[] {
  return Array.from({ length: count }, (_, index) => {
    const query = `SELECT name FROM shop WHERE staff > ${index % 9}`;
    const answers = [query, "SELECT id FROM shop", "SELECT nothing FROM nowhere"];
    return {
      question: `Which shops have more than ${index % 9} people, asked ${index}?`,
      query,
      answer: answers[index % 3] ?? "",
    };
  });
}

/** Writes a database file in the official place of `databaseId`. */
export function writeShopDatabase(root: string, databaseId: string): void {
  const folder = path.join(root, "database", databaseId);
  mkdirSync(folder, { recursive: true });
  const database = new Database(path.join(folder, `${databaseId}.sqlite`));
  database.exec(STOCK);
  database.close();
}

function writeTables(root: string, databaseIds: readonly string[]): void {
  const entries = databaseIds.map((databaseId) => ({ db_id: databaseId, ...TABLES }));
  writeFileSync(path.join(root, "tables.json"), JSON.stringify(entries));
}

/**
 * Writes a dataset in Spider's layout at `root` (train split), its questions dealt in turn to the databases,
 * and `answers.txt` beside them with a line for each.
 */
export function writeShopDataset(
  root: string,
  questions: readonly FixtureQuestion[],
  databaseIds: readonly string[],
): void {
  mkdirSync(root, { recursive: true });
  for (const databaseId of databaseIds) writeShopDatabase(root, databaseId);
  writeTables(root, databaseIds);
  const rows = questions.map(({ question, query }, index) => ({
    db_id: databaseIds[index % databaseIds.length],
    question,
    query,
  }));
  writeFileSync(path.join(root, "train_spider.json"), JSON.stringify(rows));
  writeFileSync(path.join(root, "answers.txt"), questions.map(({ answer }) => `${answer}\n`).join(""));
}

/** Writes `count` questions on one database in the same layout, and an answer to each, a row at a time. */
export async function writeLargeDataset(root: string, count: number): Promise<void> {
  mkdirSync(root, { recursive: true });
  writeShopDatabase(root, "shops");
  writeTables(root, ["shops"]);
  const questions = createWriteStream(path.join(root, "train_spider.json"));
  const answers = createWriteStream(path.join(root, "answers.txt"));
  for (let index = 0; index < count; index += 1) {
    const row = {
      db_id: "shops",
      question: `Which of the shops had more than ${index} people at work on its busiest day of the year?`,
      query: `SELECT name FROM shop WHERE staff > ${index} ORDER BY name`,
    };
    await write(questions, `${index === 0 ? "[" : ","}\n${JSON.stringify(row)}`);
    await write(answers, `SELECT name FROM shop WHERE ${index} < staff\n`);
  }
  questions.end("\n]\n");
  answers.end();
  await Promise.all([once(questions, "finish"), once(answers, "finish")]);
}

async function write(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

/** A config for the dataset of {@link writeShopDataset} in the folder `shops` beside it, as YAML lines. */
export function shopConfig(changes: Readonly<Record<string, unknown>> = {}): string {
  const config = {
    gradus: 1,
    name: "shops",
    datasets: [{ loader: "spider", root: "./shops", split: "train" }],
    answers: { import: [{ model: { name: "student", revision: "1" }, files: ["./shops/answers.txt"] }] },
    filter: { trivial: null, intractable: null },
    validation: { fraction: 0.5 },
    ...changes,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
