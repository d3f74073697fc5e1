import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const PROJECT_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The folder of reference data (`GRADUS_SHARED`, else `../shared` beside the project), undefined where it is absent. */
export function sharedFolder(): string | undefined {
  const folder = process.env["GRADUS_SHARED"] ?? path.resolve(PROJECT_ROOT, "../shared");
  return existsSync(folder) ? folder : undefined;
}

/**
 * A `describe` whose tests read the shared folder. Without the folder the suite is skipped under a name that says so,
 * or fails where `CI` is `true`.
 */
export function describeWithShared(name: string, define: (folder: string) => void): void {
  const folder = sharedFolder();
  if (folder !== undefined) {
    describe(name, () => define(folder));
    return;
  }
  const title = `${name} (needs the shared data folder)`;
  if (process.env["CI"] === "true") {
    describe(title, () => {
      it("finds the folder", () => {
        throw new Error(
          "The shared data folder is absent: set GRADUS_SHARED or place it beside the project.",
        );
      });
    });
    return;
  }
  describe.skip(title, () => {
    it("runs only with the folder", () => undefined);
  });
}
