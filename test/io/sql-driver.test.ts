import { describe, expect, it } from "vitest";
import { freeClosedConnections, openConnection, sqlDriver } from "../../io/sql-driver.ts";

describe("openConnection", () => {
  it("opens a database whose authorizer is asked before a statement runs", () => {
    const connection = openConnection(":memory:", { readOnly: false, readBigInts: true, returnArrays: true });
    const asked: (string | null)[] = [];
    connection.setAuthorizer((_, first, second) => {
      asked.push(first, second);
      return second === "random" ? 1 : 0;
    });
    expect(connection.prepare("SELECT abs(-7)").all()).toEqual([[7n]]);
    expect(asked).toContain("abs");
    expect(() => connection.prepare("SELECT random()")).toThrowError(/not authorized/);
    connection.close();
  });

  it("has closed connections collected once there may be many", async () => {
    let collected = 0;
    const had = globalThis.gc;
    globalThis.gc = (() => {
      collected += 1;
    }) as NonNullable<typeof globalThis.gc>;
    try {
      for (let count = 1; count < 300; count += 1) {
        openConnection(":memory:", { readOnly: false }).close();
        await freeClosedConnections();
      }
    } finally {
      globalThis.gc = had;
    }
    expect(collected).toBe(2);
  });

  it("takes Node's own SQLite where that has an authorizer", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const own = major > 24 || (major === 24 && minor >= 10);
    expect(sqlDriver().name).toBe(own ? "node:sqlite" : "@photostructure/sqlite");
  });
});
