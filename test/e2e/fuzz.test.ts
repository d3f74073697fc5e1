import { expect, it } from "vitest";
import { SeededRandom } from "../../core/random.ts";
import { Trial } from "../fuzz/invariants.ts";
import { randomText } from "../fuzz/statement-grammar.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const TEXTS = 5000;

it("texts near SQL are taken apart without loss, and none that is admitted writes", async () => {
  const trial = new Trial(await temporaryFolder());
  let admitted = 0;
  for (let index = 0; index < TEXTS; index += 1) {
    const text = randomText(new SeededRandom(2, "fuzz", index));
    try {
      admitted += Number(trial.try(text).admitted);
    } catch (thrown) {
      expect.fail(`${JSON.stringify(text)}: ${String(thrown)}`);
    }
  }
  trial.checkFiles();
  expect(admitted).toBeGreaterThan(TEXTS / 5);
});
