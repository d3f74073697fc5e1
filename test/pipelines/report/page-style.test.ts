import { expect, it } from "vitest";
import { PAGE_STYLE } from "../../../pipelines/report/page-style.ts";

it("loads nothing, and defines every colour for the light and for the dark", () => {
  expect(PAGE_STYLE).not.toMatch(/url\(|@import|@font-face|http/);
  const used = new Set([...PAGE_STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name ?? ""));
  const [light = "", dark = ""] = PAGE_STYLE.split("@media (prefers-color-scheme:dark)");
  for (const name of used) {
    if (name === "--kind" || /serif|sans|mono/.test(name)) continue;
    expect(light, name).toContain(`${name}:`);
    expect(dark.slice(0, dark.indexOf("*{box-sizing")), name).toContain(`${name}:`);
  }
});
