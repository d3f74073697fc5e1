import { Command } from "commander";
import { expect, it } from "vitest";
import { registerServices } from "../../../pipelines/serve/service-commands.ts";

function run(...args: readonly string[]): Promise<unknown> {
  const serve = new Command("serve").exitOverride();
  registerServices(serve, () => Promise.resolve());
  return serve.parseAsync([...args], { from: "user" });
}

it.each([
  [["env", "none.yaml", "--mode", "both"], "USAGE", "--mode must be training or test"],
  [["env", "none.yaml", "--port", "70000"], "USAGE", "--port must be at most 65535"],
  [["env", "none.yaml", "--idle-seconds", "0"], "USAGE", "--idle-seconds"],
  [
    ["rewards", "none.yaml", "--token-env", "GRADUS_NO_SUCH_TOKEN"],
    "USAGE",
    "GRADUS_NO_SUCH_TOKEN, which is not set",
  ],
  [["rewards", "none.yaml", "--host", "0.0.0.0"], "SERVICE_TOKEN_MISSING", "without a token"],
  [["tools", "none.yaml"], "FILE_MISSING", "none.yaml"],
])("wrong usage is refused before anything starts: %j", async (args, code, said) => {
  await expect(run(...args)).rejects.toMatchObject({ code, message: expect.stringContaining(said) });
});
