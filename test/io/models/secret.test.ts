import { describe, expect, it } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import { Secret } from "../../../io/models/secret.ts";

const KEY = "sk-canary+/=4711";

describe("Secret", () => {
  it("reads its variable without white space around it", () => {
    expect(new Secret("A_KEY", { A_KEY: ` ${KEY}\n` }).reveal()).toBe(KEY);
    expect(new Secret(null, {}).reveal()).toBeNull();
  });

  it("names the variable when it is missing, and hides a value that no header carries", () => {
    expect(() => new Secret("A_KEY", { A_KEY: " " })).toThrow(/A_KEY is not set or empty/);
    const invalid = { A_KEY: "two\nlines" };
    expect(() => new Secret("A_KEY", invalid)).toThrow(
      expect.objectContaining({ code: "MODEL_KEY_INVALID" }),
    );
    expect(() => new Secret("A_KEY", invalid)).not.toThrow(/two/);
  });

  it("replaces the key in every spelling, and before it cuts", () => {
    const secret = new Secret("A_KEY", { A_KEY: KEY });
    const text = `Bearer ${KEY} sk-canary%2B%2F%3D4711 c2stY2FuYXJ5Ky89NDcxMQ==`;
    expect(secret.clean(text)).toBe("Bearer [A_KEY] [A_KEY] [A_KEY]");
    expect(secret.excerpt(`${"x".repeat(8)}\n ${KEY}`, 12)).toBe("xxxxxxxx [A_…");
    expect(new Secret(null, {}).clean(text)).toBe(text);
  });

  it("copies errors without their fields, down their causes", () => {
    const secret = new Secret("A_KEY", { A_KEY: KEY });
    const inner = Object.assign(new Error(`inner ${KEY}`), { headers: { authorization: `Bearer ${KEY}` } });
    const outer = new GradusError("MODEL_REPLY_CUT", `outer ${KEY}`, { hint: `hint ${KEY}`, cause: inner });
    const copy = secret.cleanError(outer) as GradusError;
    expect([copy.code, copy.message, copy.hint]).toEqual([
      "MODEL_REPLY_CUT",
      "outer [A_KEY]",
      "hint [A_KEY]",
    ]);
    expect((copy.cause as Error).message).toBe("inner [A_KEY]");
    expect(Object.keys(copy.cause as Error)).not.toContain("headers");
    expect(secret.cleanError("no error").message).toBe("no error");
  });
});
