import { describe, expect, it } from "vitest";
import { buildProgram } from "../../../pipelines/cli/program.ts";
import { written } from "../audit/run-audit.ts";

const ACTIONS = ["accept", "diff", "edit", "effect", "export", "import", "list", "reject", "show"];

async function help(...args: readonly string[]): Promise<string> {
  const program = await buildProgram();
  return written(() => program.parseAsync(["node", "gradus", "audit", ...args, "--help"]));
}

describe("gradus audit", () => {
  it("has one action for each file of its folder", async () => {
    const text = await help();
    expect(text).toMatch(/^Usage: gradus audit /);
    for (const action of ACTIONS) expect(text).toMatch(new RegExp(`^ {2}${action} `, "m"));
  });

  it.each(ACTIONS)("help of %s has an example that begins with it", async (action) => {
    const text = await help(action);
    expect(text).toMatch(new RegExp(`^Usage: gradus audit ${action} `));
    expect(text).toMatch(new RegExp(`Example:\\n( {2}.*\\n)*? {2}gradus audit ${action} `));
  });
});
