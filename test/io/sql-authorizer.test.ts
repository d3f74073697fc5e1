import { describe, expect, it } from "vitest";
import { AccessLog, createAuthorizer } from "../../io/sql-authorizer.ts";

const PRAGMA = 19;
const READ = 20;
const SELECT = 21;
const ATTACH = 24;
const FUNCTION = 31;

describe("createAuthorizer", () => {
  it("allows reading, and logs what is read", () => {
    const log = new AccessLog();
    const authorize = createAuthorizer("query", log);
    expect(authorize(SELECT, null, null)).toBe(0);
    expect(authorize(READ, "ferry", "name")).toBe(0);
    expect(authorize(READ, "ferry", "")).toBe(0);
    expect(authorize(FUNCTION, null, "abs")).toBe(0);
    expect(log).toMatchObject({ refused: "", reads: ["ferry", "name", "ferry", ""], makesNul: false });
    expect(authorize(FUNCTION, null, "char")).toBe(0);
    expect(log.makesNul).toBe(true);
    log.clear();
    expect(log).toMatchObject({ refused: "", reads: [], makesNul: false });
  });

  it("refuses all else, and says what", () => {
    const log = new AccessLog();
    const authorize = createAuthorizer("query", log);
    expect(authorize(ATTACH, "file", null)).toBe(1);
    expect(log.refused).toBe("only reading is allowed");
    expect(authorize(FUNCTION, null, "LOAD_EXTENSION")).toBe(1);
    expect(log.refused).toBe("the function load_extension is not allowed");
    expect(authorize(PRAGMA, "table_info", "ferry")).toBe(1);
    expect(log.refused).toBe("PRAGMA table_info is not allowed");
    expect(authorize(READ, "pragma_table_info", "name")).toBe(1);
    expect(log.refused).toBe("reading pragma_table_info is not allowed");
  });

  it("allows in mode explore the PRAGMAs that describe a schema, by exact name", () => {
    const authorize = createAuthorizer("explore", new AccessLog());
    expect(authorize(PRAGMA, "Table_Info", "ferry")).toBe(0);
    expect(authorize(READ, "pragma_index_list", "name")).toBe(0);
    expect(authorize(PRAGMA, "table_info2", "ferry")).toBe(1);
    expect(authorize(READ, "pragma_database_list", "file")).toBe(1);
  });
});
