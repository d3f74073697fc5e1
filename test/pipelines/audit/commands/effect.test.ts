import { expect, it } from "vitest";
import { runAudit } from "../run-audit.ts";

it("needs a run that is there", async () => {
  await expect(runAudit("effect", "nothing", "--runs", "nowhere")).rejects.toMatchObject({
    code: "RUN_UNKNOWN",
  });
  await expect(runAudit("effect", "nothing", "--show", "-1")).rejects.toMatchObject({ code: "USAGE" });
});
