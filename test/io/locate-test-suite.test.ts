import path from "node:path";
import { expect, it } from "vitest";
import { testSuiteLocator, testSuiteNeighbours } from "../../io/locate-test-suite.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("finds the files beside a database, the main one first", async () => {
  const root = await temporaryFolder({
    "two/pets/pets.sqlite": "",
    "two/pets/pets_b.sqlite": "",
    "two/pets/more.sqlite3": "",
    "two/pets/pets.sqlite-wal": "",
    "two/pets/pets.sqlite-shm": "",
    "two/pets/pets_b.sqlite-journal": "",
    "two/pets/schema.sql": "",
    "two/alone/other.sqlite": "",
  });
  const locate = testSuiteLocator(["one", "two"].map((name) => path.join(root, name)));
  const files = locate("pets");
  expect(files.map((file) => path.basename(file))).toEqual(["pets.sqlite", "more.sqlite3", "pets_b.sqlite"]);
  expect(files[0]).toBe(path.join(root, "two/pets/pets.sqlite"));
  expect(locate("pets")).toBe(files);
  expect(locate("alone")).toEqual([]);
  expect(locate("../two/pets")).toEqual([]);
});

it("finds none beside a file that is no main file of its folder", async () => {
  const root = await temporaryFolder({ "pets/pets.sqlite": "", "pets/more.sqlite": "" });
  expect(testSuiteNeighbours(path.join(root, "pets/pets.sqlite"))).toEqual([
    path.join(root, "pets/more.sqlite"),
  ]);
  expect(testSuiteNeighbours(path.join(root, "pets/more.sqlite"))).toEqual([]);
});
