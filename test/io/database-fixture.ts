import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openConnection } from "../../io/sql-driver.ts";

/** A temporary folder for database files; `remove` deletes it. */
export class DatabaseFixture {
  readonly folder = mkdtempSync(path.join(tmpdir(), "gradus-test-"));

  /** Makes a database file by running a script; returns its path. */
  create(name: string, script: string): string {
    const file = path.join(this.folder, name);
    const connection = openConnection(file, { readOnly: false });
    connection.exec(script);
    connection.close();
    return file;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Three ferries, one of them without a name; text that is not UTF-8, that has a NUL, that has a real U+FFFD. */
export const FERRIES = `
  CREATE TABLE ferry (id INTEGER PRIMARY KEY, name TEXT, length REAL);
  INSERT INTO ferry VALUES (1, 'Nordlys', 80.5), (2, NULL, 40.0), (3, 'Siskin', NULL);
  CREATE TABLE crossing (ferry_id INTEGER REFERENCES ferry (id), day TEXT);
  INSERT INTO crossing VALUES (1, 'Monday'), (1, 'Monday'), (3, 'Sunday');
  CREATE TABLE odd (id INTEGER, value);
  INSERT INTO odd VALUES
    (1, CAST(x'636166e9' AS TEXT)),
    (2, CAST(x'6361660065' AS TEXT)),
    (3, 'caf' || char(65533)),
    (4, 9223372036854775807),
    (5, 9223372036854775808.0),
    (6, x'636166'),
    (7, 'caf');
  CREATE VIEW named AS SELECT name FROM ferry WHERE name IS NOT NULL;
`;
