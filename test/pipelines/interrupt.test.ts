import { describe, expect, it } from "vitest";
import { startScript } from "../fakes/child-script.ts";

describe("interruptSignal", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "aborts at the first %s and ends at the second with 130",
    async (name) => {
      const child = startScript("wait-for-interrupt");
      expect(await child.line()).toBe("ready");
      child.kill(name);
      expect(await child.line()).toBe("stopping: finished steps are kept; press Ctrl-C again to end at once");
      expect(await child.line()).toBe("aborted");
      child.kill(name);
      expect(await child.ended).toEqual({ code: 130, signal: null });
    },
  );

  it("gives the signals back", async () => {
    const child = startScript("wait-for-interrupt", "release");
    expect(await child.line()).toBe("ready");
    child.kill("SIGINT");
    expect(await child.ended).toEqual({ code: null, signal: "SIGINT" });
  });
});
