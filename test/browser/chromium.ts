import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium } from "playwright-core";
import { describe, it } from "vitest";

/** Where Debian and others put it; `GRADUS_CHROMIUM` names another place. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program, undefined where there is none. */
function chromiumPath(): string | undefined {
  const given = process.env["GRADUS_CHROMIUM"];
  return (given === undefined ? PLACES : [given]).find((place) => existsSync(place));
}

/** Starts the browser without a network of its own: what a page asks for beside files fails. */
export async function startChromium(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND"];
  return chromium.launch({ executablePath: chromiumPath() ?? "", args });
}

/** The source of axe, to be evaluated in a page. */
export function axeSource(): string {
  return readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
}

/**
 * A `describe` whose tests need a browser. Without one the suite is skipped under a name that says so, or fails where
 * `CI` is `true`.
 */
export function describeWithChromium(name: string, define: () => void): void {
  if (chromiumPath() !== undefined) {
    describe(name, define);
    return;
  }
  const title = `${name} (needs chromium: apt-get install chromium, or GRADUS_CHROMIUM)`;
  if (process.env["CI"] === "true") {
    describe(title, () => {
      it("finds the browser", () => {
        throw new Error("There is no chromium: apt-get install chromium, or set GRADUS_CHROMIUM.");
      });
    });
    return;
  }
  describe.skip(title, () => {
    it("runs only with a browser", () => undefined);
  });
}
