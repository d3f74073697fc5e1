import path from "node:path";
import { describe, expect, it } from "vitest";
import { databaseLocator } from "../../io/locate-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("databaseLocator", () => {
  it("finds a database in the first folder that has it", async () => {
    const root = await temporaryFolder({
      "one/pets/pets.sqlite": "",
      "two/pets/pets.sqlite": "",
      "two/ferries/ferries.sqlite": "",
      "two/loose.sqlite": "",
    });
    const locate = databaseLocator(["none", "one", "two"].map((name) => path.join(root, name)));
    expect(locate("pets")).toBe(path.join(root, "one/pets/pets.sqlite"));
    expect(locate("ferries")).toBe(path.join(root, "two/ferries/ferries.sqlite"));
    expect(locate("loose")).toBeNull();
    expect(locate("unknown")).toBeNull();
  });

  it("never leaves its folders", async () => {
    const root = await temporaryFolder({
      "inside/a/a.sqlite": "",
      "secret/secret.sqlite": "",
      "...sqlite": "",
      "inside/..sqlite": "",
    });
    const locate = databaseLocator([path.join(root, "inside")]);
    for (const id of ["../secret", "..", ".", "a/../a", "..\\secret", "a\0", "/etc/passwd"]) {
      expect(locate(id)).toBeNull();
    }
  });
});
