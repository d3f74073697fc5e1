import { mkdirSync } from "node:fs";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";

/** Builds `<folder>/bakery/bakery.sqlite` with two loaves and no sale; in write-ahead mode where asked. */
export function buildBakery(folder: string, journal: "DELETE" | "WAL" = "DELETE"): string {
  const file = path.join(folder, "bakery", "bakery.sqlite");
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new SqliteDatabase(file);
  database.pragma(`journal_mode = ${journal}`);
  database.exec(`
    CREATE TABLE Loaf (Loaf_ID INTEGER PRIMARY KEY, Name TEXT);
    CREATE TABLE Sale (Loaf_ID INTEGER REFERENCES Loaf(Loaf_ID), Day TEXT, Pieces INTEGER);
    INSERT INTO Loaf VALUES (1, 'Rye'), (2, 'Spelt');
  `);
  database.close();
  return file;
}
