import Database from "better-sqlite3";
import { beforeEach, expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import { LedgerGroupCommit } from "../../io/ledger-group-commit.ts";

let connection: Database.Database;
let commit: LedgerGroupCommit;
let statements: string[];

beforeEach(() => {
  statements = [];
  connection = new Database(":memory:", {
    verbose: (sql) => statements.push(String(sql)),
  });
  connection.exec("CREATE TABLE t (a INTEGER UNIQUE)");
  commit = new LedgerGroupCommit(connection, "ledger.sqlite");
  statements.length = 0;
});

function insert(value: number): () => void {
  return () => connection.prepare("INSERT INTO t VALUES (?)").run(value);
}

function rows(): unknown[] {
  return connection.prepare("SELECT a FROM t ORDER BY a").pluck().all();
}

it("puts the writes of a tick into one transaction", async () => {
  await Promise.all([commit.add(insert(1)), commit.add(insert(2)), commit.add(insert(3))]);
  expect(statements.filter((sql) => sql.startsWith("BEGIN"))).toHaveLength(1);
  expect(rows()).toEqual([1, 2, 3]);
  await commit.add(insert(4));
  expect(statements.filter((sql) => sql.startsWith("BEGIN"))).toHaveLength(2);
});

it("refuses alone a write that is refused by a code", async () => {
  const refused = commit.add(() => {
    throw new GradusError("LEDGER_TURN_GAP", "gap");
  });
  const others = [commit.add(insert(1)), commit.add(insert(2))];
  await expect(refused).rejects.toMatchObject({ code: "LEDGER_TURN_GAP" });
  await Promise.all(others);
  expect(rows()).toEqual([1, 2]);
});

it("takes the whole tick back when the engine fails, and goes on afterwards", async () => {
  await commit.add(insert(1));
  const results = await Promise.allSettled([commit.add(insert(2)), commit.add(insert(1))]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(rows()).toEqual([1]);
  await commit.add(insert(5));
  expect(rows()).toEqual([1, 5]);
});

it("flush commits at once what has gathered", () => {
  void commit.add(insert(7));
  commit.flush();
  expect(rows()).toEqual([7]);
});
