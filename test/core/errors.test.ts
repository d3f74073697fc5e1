import { describe, expect, it } from "vitest";
import { boundary, formatError, GradusError, messageOf, nearMiss } from "../../core/errors.ts";

describe("formatError", () => {
  it("tells code, message, site and hint in two lines", () => {
    const error = new GradusError("CSV_MALFORMED", "cannot read a.csv: got a quote, expected its end", {
      site: { stage: "load", rowId: "7", file: "a.csv", line: 12 },
      hint: "close the quote",
    });
    expect(formatError(error)).toBe(
      "CSV_MALFORMED: cannot read a.csv: got a quote, expected its end (stage load, rowId 7, file a.csv, line 12)\n" +
        "hint: close the quote",
    );
  });

  it("is one line without site and hint", () => {
    expect(formatError(new GradusError("AREA_WHAT", "no"))).toBe("AREA_WHAT: no");
  });
});

describe("messageOf", () => {
  it("reads errors and anything else that is thrown", () => {
    expect(messageOf(new TypeError("bad"))).toBe("bad");
    expect(messageOf("text")).toBe("text");
    expect(messageOf(undefined)).toBe("undefined");
  });
});

describe("boundary", () => {
  it("gives what the action gives", async () => {
    expect(await boundary("AREA_WHAT", {}, () => 3)).toBe(3);
  });

  it("wraps a foreign error, thrown or rejected, and keeps it as the cause", async () => {
    const foreign = new RangeError("deep down");
    const thrown = await boundary("AREA_WHAT", { file: "a" }, () => {
      throw foreign;
    }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(GradusError);
    expect(thrown).toMatchObject({ code: "AREA_WHAT", message: "deep down", site: { file: "a" } });
    expect((thrown as GradusError).cause).toBe(foreign);
    await expect(boundary("AREA_WHAT", {}, () => Promise.reject(foreign))).rejects.toMatchObject({
      code: "AREA_WHAT",
    });
  });

  it("lets an error with a code of its own pass", async () => {
    const own = new GradusError("INNER_CODE", "x");
    await expect(boundary("AREA_WHAT", {}, () => Promise.reject(own))).rejects.toBe(own);
  });
});

describe("nearMiss", () => {
  it("finds a name with a letter lost, doubled, swapped or in another case", () => {
    const known = ["temperature", "topP", "maxTokens"];
    expect(nearMiss("temprature", known)).toBe("temperature");
    expect(nearMiss("temperatture", known)).toBe("temperature");
    expect(nearMiss("tpoP", known)).toBe("topP");
    expect(nearMiss("maxtokens", known)).toBe("maxTokens");
  });

  it("takes the closest, the first of equals", () => {
    expect(nearMiss("spidor", ["spider-dk", "spider", "spidar"])).toBe("spider");
  });

  it("finds nothing far off", () => {
    expect(nearMiss("bird", ["spider", "cosql"])).toBeUndefined();
    expect(nearMiss("bird", [])).toBeUndefined();
  });
});
