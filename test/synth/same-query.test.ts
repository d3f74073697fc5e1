import { describe, expect, it } from "vitest";
import { sameQuery } from "../../synth/same-query.ts";

describe("sameQuery", () => {
  it("looks past the case of words, space and a closing semicolon, not of values", () => {
    expect(sameQuery("SELECT a FROM b", "select  A\nfrom B ;")).toBe(true);
    expect(sameQuery("SELECT a FROM b WHERE c = 'X'", "SELECT a FROM b WHERE c = 'x'")).toBe(false);
    expect(sameQuery("SELECT a FROM b", "SELECT a FROM c")).toBe(false);
  });
});
