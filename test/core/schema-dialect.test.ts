import { expect, it } from "vitest";
import { defineSchemaDialect } from "../../core/schema-dialect.ts";
import { database } from "../curation/sample-rows.ts";

it("a schema dialect is marked by its kind and renders a database", () => {
  const dialect = defineSchemaDialect({
    id: "names",
    version: 1,
    render: ({ databaseId }) => `-- ${databaseId}`,
  });
  expect(dialect).toMatchObject({ kind: "schema-dialect", id: "names", version: 1 });
  expect(dialect.render(database("ferries"))).toBe("-- ferries");
});
