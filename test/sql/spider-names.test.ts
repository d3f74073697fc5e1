import { describe, expect, it } from "vitest";
import { SpiderNames } from "../../sql/spider-names.ts";
import { CONCERT_SCHEMA } from "./concert-schema.ts";

describe("SpiderNames", () => {
  it("resolves tables and aliases, the last definition of an alias winning", () => {
    const names = new SpiderNames(CONCERT_SCHEMA, "singer as t1 join concert as t1 x as y".split(" "));
    expect(names.table("singer")).toBe("singer");
    expect(names.table("t1")).toBe("concert");
    expect(names.table("y")).toBeUndefined();
    expect(names.table("z")).toBeUndefined();
    expect(names.tableUsedAsAlias).toBeUndefined();
  });

  it("names a table that is used as an alias", () => {
    expect(new SpiderNames(CONCERT_SCHEMA, ["x", "as", "concert"]).tableUsedAsAlias).toBe("concert");
  });

  it("resolves columns", () => {
    const names = new SpiderNames(CONCERT_SCHEMA, ["singer", "as", "t1"]);
    expect(names.column("*", [])).toBe("*");
    expect(names.column("t1.age", [])).toBe("singer.age");
    expect(names.column("concert.year", [])).toBe("concert.year");
    expect(names.column("t1.year", ["concert"])).toBeUndefined();
    expect(names.column("t1.age.x", [])).toBeUndefined();
    expect(names.column("name", ["concert", "singer"])).toBe("concert.name");
    expect(names.column("age", ["concert", "singer"])).toBe("singer.age");
    expect(names.column("age", ["concert"])).toBeUndefined();
    expect(names.column("constructor", ["singer"])).toBeUndefined();
  });
});
