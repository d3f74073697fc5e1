import { describe, expect, it } from "vitest";
import { scaffoldFacts } from "../../curation/scaffold-facts.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";

const factsOf = scaffoldFacts(createPlugFinder());

describe("scaffoldFacts", () => {
  it("gives schemas of native tools alone, and the names of all", async () => {
    const text = await factsOf({ id: "mtsql-r1", version: 1, options: {} });
    expect([text.tools, text.toolNames, text.task]).toEqual([[], ["exec_sql", "memory_retrieve"], "sql"]);
    const native = await factsOf({ id: "mtsql-r1", version: 1, options: { calls: "native" } });
    expect(native.tools.map(({ name }) => name)).toEqual(["exec_sql", "memory_retrieve"]);
  });

  it("knows the agents of a pair", async () => {
    expect((await factsOf({ id: "dualsql-linker", version: 1, options: {} })).task).toBe("linker");
    expect((await factsOf({ id: "dualsql-generator", version: 1, options: {} })).task).toBe("generator");
  });

  it("says nothing of what is no plug, and of options that are not its own", async () => {
    for (const use of [
      { id: "import", version: 1, options: {} },
      { id: "mtsql-r1", version: 1, options: { no: 1 } },
    ]) {
      expect(await factsOf(use)).toEqual({ scaffold: use, tools: [], toolNames: [], task: "sql" });
    }
  });
});
