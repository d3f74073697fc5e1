import { describe, expect, it } from "vitest";
import { columnExamples } from "../../datasets/column-examples.ts";
import { clubDatabase } from "./club-database.ts";

describe("columnExamples", () => {
  const database = clubDatabase({}, [
    { table: "Member", column: "Name", values: ["Ann", "Ben", "Ann"] },
    { table: "fee", column: "name", values: ["Cy"] },
  ]);

  it("finds values by names without case, each once", () => {
    const examplesOf = columnExamples(database, []);
    expect(examplesOf("MEMBER", "name")).toEqual({ retrieved: [], stored: ["Ann", "Ben"] });
    expect(examplesOf("member", "other")).toEqual({ retrieved: [], stored: [] });
  });

  it("takes retrieved values of several entries in their order and leaves them out of the stored ones", () => {
    const examplesOf = columnExamples(database, [
      { table: "member", column: "NAME", values: ["Zoe", "Ben"] },
      { table: "member", column: "name", values: ["Zoe", "Di"] },
      { table: "club", column: "title", values: ["x"] },
    ]);
    expect(examplesOf("member", "name")).toEqual({ retrieved: ["Zoe", "Ben", "Di"], stored: ["Ann"] });
    expect(examplesOf("club", "title")).toEqual({ retrieved: ["x"], stored: [] });
    expect(examplesOf("fee", "name")).toEqual({ retrieved: [], stored: ["Cy"] });
  });
});
