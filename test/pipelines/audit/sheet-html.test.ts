import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { readSheetText, sheetHtml } from "../../../pipelines/audit/sheet-html.ts";
import { HOSTILE, sheetRow } from "./sheet-fixture.ts";

const ROWS = HOSTILE.map((text, index) =>
  sheetRow({
    source_id: String(index),
    check: text,
    message: text,
    question: text,
    gold: text,
    suggested_field: "gold",
    suggested_text: text,
    decision: "accept",
    corrected_gold: text,
    author: text,
    reason: text,
  }),
);

describe("a sheet as HTML", () => {
  const page = sheetHtml("Review of <b>", ROWS);

  it("comes back with every cell as it was, from the page and from what its button saves", () => {
    expect(readSheetText(page, "sheet.html")).toEqual(ROWS);
    expect(readSheetText(JSON.stringify(ROWS, null, 1), "reviewed.json")).toEqual(ROWS);
  });

  it("has no markup but its own, and lets no script but its own run", () => {
    const { document } = parseHTML(page);
    expect(document.querySelectorAll("script")).toHaveLength(2);
    expect(document.querySelectorAll("img, b, [onerror]")).toHaveLength(0);
    expect(document.querySelectorAll("article")).toHaveLength(HOSTILE.length);
    expect(document.querySelector("title")?.textContent).toBe("Review of <b>");
    const policy =
      document.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/]{43}='$/,
    );
    expect(page).not.toMatch(/(src|href)="http/);
  });

  it("has a named field for everything that a reviewer fills", () => {
    const { document } = parseHTML(page);
    const article = document.querySelector("article");
    const names = [...(article?.querySelectorAll("[data-column]") ?? [])].map((field) =>
      field.getAttribute("data-column"),
    );
    expect(new Set(names)).toEqual(
      new Set(["decision", "corrected_question", "corrected_evidence", "corrected_gold", "reason", "author"]),
    );
    expect(article?.querySelector("input[checked]")?.getAttribute("value")).toBe("accept");
    for (const field of article?.querySelectorAll("[data-column]") ?? [])
      expect(field.closest("label")).not.toBeNull();
  });

  it("offers accept only where something is suggested", () => {
    const { document } = parseHTML(sheetHtml("x", [sheetRow({ source_id: "0" })]));
    const values = [...document.querySelectorAll("input[type=radio]")].map((field) =>
      field.getAttribute("value"),
    );
    expect(values).toEqual(["", "edit", "reject"]);
  });

  it("is refused where a file is neither the page nor what it saved", () => {
    for (const text of ["<html></html>", "{}", ""])
      expect(() => readSheetText(text, "x.html")).toThrow(
        expect.objectContaining({ code: "SHEET_MALFORMED" }),
      );
  });
});
