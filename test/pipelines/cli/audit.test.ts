import { describe, expect, it } from "vitest";
import { runAudit } from "../audit/run-audit.ts";

describe("gradus audit", () => {
  it("has one action for each file of its folder", async () => {
    const help = await runAudit("--help");
    expect(help).toMatch(/^Usage: gradus audit /);
    for (const action of ["accept", "diff", "edit", "effect", "export", "import", "reject"])
      expect(help).toMatch(new RegExp(`^ {2}${action} `, "m"));
  });

  it.each(["accept", "diff", "edit", "effect", "export", "import", "reject"])(
    "help of %s has an example that begins with it",
    async (action) => {
      const help = await runAudit(action, "--help");
      expect(help).toMatch(new RegExp(`^Usage: gradus audit ${action} `));
      expect(help).toMatch(new RegExp(`Example:\\n( {2}.*\\n)*? {2}gradus audit ${action} `));
    },
  );
});
