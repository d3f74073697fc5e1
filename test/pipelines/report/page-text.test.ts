import { expect, it } from "vitest";
import { markdownBlock, markdownText, numberHtml, pageText } from "../../../pipelines/report/page-text.ts";

it("lets no markup through, and shows what cannot be seen", () => {
  expect(pageText(`<b a="1" c='2'>&\u202E\u0000`)).toBe(
    String.raw`&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\u202e\u0000`,
  );
  expect(pageText("a\nb")).toBe("a\nb");
});

it("escapes Markdown, and keeps it on its line", () => {
  expect(markdownText("a|b\n# <i> `c` [d]")).toBe("a\\|b \\# &lt;i> \\`c\\` \\[d\\]");
});

it("fences text with more backticks than it has", () => {
  expect(markdownBlock("a ```` b", "sql")).toBe("`````sql\na ```` b\n`````");
  expect(markdownBlock("a", "")).toBe("```\na\n```");
});

it("gives a number its exact value and its place", () => {
  expect(numberHtml({ at: "/a/<", value: 0.123_456, form: "percent" })).toBe(
    '<span data-at="/a/&lt;" data-value="0.123456">12.3</span>',
  );
  expect(numberHtml({ at: "/a", value: null, form: "count" })).toBe("–");
});
