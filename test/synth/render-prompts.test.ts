import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { renderPromptsStage } from "../../synth/render-prompts.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { example, FERRIES, plugs } from "./synth-rows.ts";

describe("renderPromptsStage", () => {
  it("gives one prompt an example, in order, with the digest of the schema text", async () => {
    const missing: Database = { ...FERRIES, databaseId: "lost", status: "missing", digest: "", values: [] };
    const examples = [example("1"), example("0", { databaseId: "lost" }), example("2")];
    const { prompts } = await runStage(
      renderPromptsStage,
      { examples, databases: [FERRIES, missing] },
      {},
      { plugs },
    );
    expect(prompts.map((row) => row.exampleId)).toEqual(examples.map(({ id }) => id));
    expect(prompts[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    const schemaText = `CREATE TABLE boat (
    boat_id INTEGER,
    name TEXT, -- example: ['Tern', 'Gull']
    seats INTEGER,
    built INTEGER,
    PRIMARY KEY (boat_id)
);

CREATE TABLE crossing (
    crossing_id INTEGER,
    boat_id INTEGER,
    island TEXT,
    passengers INTEGER,
    PRIMARY KEY (crossing_id),
    CONSTRAINT fk_crossing_boat_id FOREIGN KEY (boat_id) REFERENCES boat (boat_id)
);`;
    expect(prompts[0]?.messages[1]?.content).toBe(
      `Database (SQLite):\n\n${schemaText}\n\nQuestion:\nQuestion 1?`,
    );
    // The text above through Python's hashlib.
    expect(prompts[0]?.schemaTextDigest).toBe(
      "87caaf2fd6c29e2d6506695c9e265a33a2f466509185ec0df74aa004a11260bc",
    );
    expect(prompts[2]?.schemaTextDigest).toBe(prompts[0]?.schemaTextDigest);
    expect(prompts[1]?.messages[1]?.content).toContain("    name TEXT,\n");
    expect(prompts[1]?.schemaTextDigest).not.toBe(prompts[0]?.schemaTextDigest);
  });

  it("refuses an example whose database has no row", async () => {
    await expect(
      runStage(renderPromptsStage, { examples: [example("7")], databases: [] }, {}, { plugs }),
    ).rejects.toMatchObject({ code: "DATABASE_UNKNOWN", site: { rowId: example("7").id } });
  });

  it("says what gold links for agents that link schemas", async () => {
    const gold = ["SELECT name FROM boat"];
    const { prompts } = await runStage(
      renderPromptsStage,
      { examples: [example("1", { gold }), example("2", { gold: [] })], databases: [FERRIES] },
      { scaffold: "dualsql-sql" },
      { plugs },
    );
    expect(prompts[0]?.linking?.goldLinks).toEqual([{ table: "boat", columns: ["name"] }]);
    expect(prompts[0]?.linking?.full).toContain("CREATE TABLE crossing");
    expect(prompts[0]?.linking?.oracle).toBe(
      "CREATE TABLE boat (\n    boat_id INTEGER,\n    name TEXT, -- example: ['Tern', 'Gull']\n    PRIMARY KEY (boat_id)\n);",
    );
    expect(prompts[1]).not.toHaveProperty("linking");
  });

  it("opens as the scaffold does that is asked for", async () => {
    const { prompts } = await runStage(
      renderPromptsStage,
      { examples: [example("1")], databases: [FERRIES] },
      { scaffold: "sql-trail", options: { maxTurns: 3 } },
      { plugs },
    );
    expect(prompts[0]?.messages[0]?.content).toContain("You have 3 replies in all");
    expect(prompts[0]?.messages[1]?.content).toContain("Question 1?");
  });

  it("names its dialect and its scaffold as plugs", () => {
    const options = renderPromptsStage.options.parse({ scaffold: "sql-trail" });
    expect(renderPromptsStage.plugs(options, fakePlugs([]))).toEqual([
      { kind: "schema-dialect", id: "omnisql-ddl" },
      { kind: "scaffold", id: "sql-trail" },
    ]);
  });
});
